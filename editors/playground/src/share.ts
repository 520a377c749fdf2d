// The text in the fragment of the address, compressed: "#code=...".

const KEY = "code";

async function piped(bytes: Uint8Array<ArrayBuffer>, through: GenericTransformStream): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([bytes]).stream().pipeThrough(through);
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** The fragment that restores a text. */
export async function fragmentOf(text: string): Promise<string> {
  const bytes = await piped(new TextEncoder().encode(text), new CompressionStream("deflate-raw"));
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return `#${KEY}=${btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}

/** The text in a fragment; undefined if there is none, or if the address is damaged. */
export async function textOf(fragment: string): Promise<string | undefined> {
  const given = new URLSearchParams(fragment.slice(1)).get(KEY);
  if (given === null) return undefined;
  try {
    const binary = atob(given.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(binary, (one) => one.charCodeAt(0));
    return new TextDecoder().decode(await piped(bytes, new DecompressionStream("deflate-raw")));
  } catch {
    return undefined;
  }
}
