import { textWidth } from '../charts/textWidth.js';

/** The box that a text of a chart takes, in the chart's own coordinates. */
export interface TextBox {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

interface Transform {
  readonly x: number;
  readonly y: number;
  readonly isRotated: boolean;
}

/** Boxes of all texts of a chart, with widths as the charts reckon them. */
export function textBoxes(svg: string): TextBox[] {
  const boxes: TextBox[] = [];
  const transforms: Transform[] = [{ x: 0, y: 0, isRotated: false }];
  for (const [, tag, attributes = '', inner] of svg.matchAll(
    /<(g|\/g|text)\b([^>]*)>(?:(?<=<text[^>]*>)(.*?)<\/text>)?/gs,
  )) {
    const current = transforms.at(-1)!;
    if (tag === '/g') transforms.pop();
    else if (tag === 'g') transforms.push(moved(current, attributes));
    else boxes.push(boxOf(attributes, inner!, current));
  }
  return boxes;
}

function moved(from: Transform, attributes: string): Transform {
  const [, x = '0', y = '0'] = /translate\(([-\d.]+) ([-\d.]+)\)/.exec(attributes) ?? [];
  return {
    x: from.x + Number(x),
    y: from.y + Number(y),
    isRotated: from.isRotated || attributes.includes('rotate(-90)'),
  };
}

function boxOf(attributes: string, inner: string, { x, y, isRotated }: Transform): TextBox {
  const attribute = (name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)![1]!;
  const size = Number(attribute('font-size'));
  const text = inner
    .replace(/<title>.*?<\/title>/gs, '')
    .replace(/<tspan unicode-bidi="isolate">(.*?)<\/tspan>/gs, '$1');
  const [plain, tagText = ''] = text.split(/<tspan[^>]*>/);
  const width =
    textWidth(unescaped(plain!), size) +
    (tagText === '' ? 0 : 6 + textWidth(unescaped(tagText.replace('</tspan>', '')), size));
  const share = { start: 0, middle: 0.5, end: 1 }[attribute('text-anchor')]!;
  const along = Number(attribute('x')) - share * width;
  const across = Number(attribute('y'));
  if (isRotated) {
    return { text, left: x + across - size, right: x + across + size * 0.3, top: y - along - width, bottom: y - along };
  }
  return {
    text,
    left: x + along,
    right: x + along + width,
    top: y + across - size * 0.8,
    bottom: y + across + size * 0.25,
  };
}

function unescaped(text: string): string {
  return text.replace(
    /&(amp|lt|gt|quot|#39);/g,
    (_, name: string) => ({ amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" })[name]!,
  );
}

/** Pairs of texts that lie over one another. */
export function overlaps(boxes: readonly TextBox[]): string[] {
  return boxes.flatMap((a, index) =>
    boxes
      .slice(index + 1)
      .filter((b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)
      .map((b) => `${a.text} / ${b.text}`),
  );
}

/** Every number in attributes of a chart, with its attribute: what must be finite and within the picture. */
export function coordinates(svg: string): { readonly name: string; readonly value: number }[] {
  return Array.from(svg.matchAll(/\b(x|y|cx|cy|d|width|height|r)="([^"]*)"/g)).flatMap(([, name, value]) =>
    name === 'd'
      ? Array.from(value!.matchAll(/[-\d.]+/g), ([number]) => ({ name: name!, value: Number(number) }))
      : [{ name: name!, value: Number(value) }],
  );
}
