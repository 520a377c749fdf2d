import torch


def box_area(b):
    return (b[:, 2] - b[:, 0]) * (b[:, 3] - b[:, 1])


def box_iou(a, b):
    lt = torch.max(a[:, None, :2], b[:, :2])
    rb = torch.min(a[:, None, 2:], b[:, 2:])
    wh = (rb - lt).clamp(min=0)
    inter = wh[..., 0] * wh[..., 1]
    union = box_area(a)[:, None] + box_area(b) - inter
    return inter / union


def make_anchors(fh, fw, stride, sizes=(16, 32), ratios=(0.5, 1.0, 2.0)):
    sizes, ratios = torch.tensor(sizes, dtype=torch.float), torch.tensor(ratios)
    h = (sizes[:, None] * ratios.sqrt()).flatten()
    w = (sizes[:, None] / ratios.sqrt()).flatten()
    base = torch.stack([-w, -h, w, h], dim=1) / 2
    y, x = torch.meshgrid(torch.arange(fh) * stride, torch.arange(fw) * stride, indexing="ij")
    shift = torch.stack((x, y, x, y), dim=-1).reshape(-1, 1, 4)
    return (shift + base).reshape(-1, 4)


def assign(anchors, gt, hi=0.5, lo=0.3):
    iou = box_iou(gt, anchors)
    best, idx = iou.max(dim=0)
    idx = torch.where(best < lo, torch.full_like(idx, -1), idx)
    idx[(best >= lo) & (best < hi)] = -2
    force = iou.argmax(dim=1)
    idx[force] = torch.arange(gt.shape[0])
    return idx


def main():
    anchors = make_anchors(6, 8, stride=16)
    gt = torch.tensor([[10.0, 12.0, 40.0, 50.0], [60.0, 8.0, 100.0, 30.0], [30.0, 30.0, 64.0, 80.0]])
    match = assign(anchors, gt)
    pos = match >= 0
    print(anchors.shape, pos.sum().item(), gt[match[pos]].shape)


if __name__ == "__main__":
    main()
