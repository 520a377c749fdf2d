// Sends texts to the worker, one at a time: while it is busy, only the last one waits.
import type { Answer, Reply, Request } from "./messages";

/** Milliseconds after which a check is ended, with its worker. */
const PATIENCE = 20_000;

export interface Listener {
  ready(versions: string): void;
  answered(answer: Answer, text: string): void;
  failed(reason: string): void;
}

export class Engine {
  private worker: Worker;
  private running: (Request & { timer?: number }) | undefined;
  private waiting: Request | undefined;
  private isReady = false;
  /** The text that has ended a worker; it would end the next one, too. */
  private fatal: string | undefined;
  private last = 0;

  constructor(private readonly listener: Listener) {
    this.worker = this.start();
  }

  check(text: string, isQuick: boolean): void {
    if (text === this.fatal) return;
    this.waiting = { id: ++this.last, text, isQuick };
    this.next();
  }

  private start(): Worker {
    const worker = new Worker("worker.js", { type: "module" });
    worker.onmessage = ({ data }: MessageEvent<Reply>) => this.received(data);
    worker.onerror = (event) => this.restart(event.message || "the worker cannot be loaded");
    return worker;
  }

  private next(): void {
    if (!this.isReady || this.running || !this.waiting) return;
    this.running = this.waiting;
    this.waiting = undefined;
    this.running.timer = setTimeout(() => this.restart("it takes too long"), PATIENCE) as unknown as number;
    const { id, text, isQuick } = this.running;
    this.worker.postMessage({ id, text, isQuick });
  }

  private received(reply: Reply): void {
    if (reply.kind === "ready") {
      this.isReady = true;
      this.listener.ready(reply.versions);
    } else if (reply.kind === "fault" && (!this.isReady || isFatal(reply.fault))) {
      this.restart(reply.fault.includes("call stack") ? "it is nested too deeply" : reply.fault);
      return;
    } else if (this.running?.id === reply.id) {
      const { text, timer } = this.running;
      clearTimeout(timer);
      this.running = undefined;
      if (reply.kind === "answer") this.listener.answered(reply.answer, text);
      else this.listener.failed(reply.fault);
    }
    this.next();
  }

  /** Starts a new worker, unless the one before never became ready: then a new one would not either. */
  private restart(reason: string): void {
    clearTimeout(this.running?.timer);
    this.fatal = this.running?.text;
    this.running = undefined;
    this.worker.terminate();
    this.listener.failed(reason);
    if (this.isReady) {
      this.isReady = false;
      this.worker = this.start();
    }
  }
}

/** Whether Python itself has ended, not only the check: the stack is full, or the memory. */
function isFatal(fault: string): boolean {
  return !fault.startsWith("PythonError");
}
