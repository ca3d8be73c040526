// A small plot as SVG: processor time of a call against the size of something, one line for each kind of call, both axes logarithmic.
export type Curve = { name: string; points: readonly { size: number; ms: number }[] };
export type Panel = { title: string; curves: readonly Curve[] };

const width = 300;
const height = 220;
const edge = { left: 46, right: 32, top: 34, bottom: 34 };
const colours = ['#2563eb', '#d97706'];
/** Of the vertical axis, in milliseconds. */
const [least, greatest] = [0.05, 50];

export function plotSvg(panels: readonly Panel[]): string {
  const parts = panels.map((panel, i) => `<g transform="translate(${i * width} 0)">${panelSvg(panel)}</g>`);
  const all = panels.length * width;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${all} ${height}" width="${all}" height="${height}" font-family="sans-serif" font-size="11">`,
    '<title>Processor time of a call</title>',
    `<rect width="${all}" height="${height}" fill="#fff"/>`,
    ...parts,
    '</svg>\n',
  ].join('\n');
}

function panelSvg({ title, curves }: Panel): string {
  const sizes = curves.flatMap(({ points }) => points.map(({ size }) => size));
  const [smallest, largest] = [Math.min(...sizes), Math.max(...sizes)];
  const x = (size: number): number =>
    edge.left + (Math.log(size / smallest) / Math.log(largest / smallest)) * (width - edge.left - edge.right);
  const y = (ms: number): number =>
    height -
    edge.bottom -
    (Math.log(ms / least) / Math.log(greatest / least)) * (height - edge.top - edge.bottom);
  const steps = [0.1, 1, 10].map(
    (ms) =>
      `<path d="M${edge.left} ${round(y(ms))}H${width - edge.right}" stroke="#ddd"/><text x="${edge.left - 5}" y="${round(y(ms) + 4)}" text-anchor="end">${ms} ms</text>`,
  );
  const ticks = [...new Set(sizes)].map(
    (size) =>
      `<text x="${round(x(size))}" y="${height - edge.bottom + 16}" text-anchor="middle">${size.toLocaleString('en')}</text>`,
  );
  return [
    `<text x="${edge.left}" y="16" font-weight="bold">${title}</text>`,
    ...steps,
    ...ticks,
    ...curves.map((curve, i) => curveSvg(curve, { x, y, colour: colours[i] ?? '#000' })),
  ].join('\n');
}

type Axes = { x(size: number): number; y(ms: number): number; colour: string };

function curveSvg({ name, points }: Curve, { x, y, colour }: Axes): string {
  const places = points.map(({ size, ms }) => `${round(x(size))} ${round(y(ms))}`);
  const dots = points.map(
    ({ size, ms }) => `<circle cx="${round(x(size))}" cy="${round(y(ms))}" r="3" fill="${colour}"/>`,
  );
  const first = points[0];
  const label = first
    ? `<text x="${round(x(first.size) + 6)}" y="${round(y(first.ms) - 7)}" fill="${colour}">${name}</text>`
    : '';
  return `<path d="M${places.join('L')}" fill="none" stroke="${colour}" stroke-width="2"/>${dots.join('')}${label}`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
