// The workspace of the showcase: a small service for orders with real tests, so that what the pictures show has really run.
const server = `import { createServer } from 'node:http';
import { handleOrders } from './orders/routes.js';

const port = Number(process.env.PORT ?? 8080);

const server = createServer(async (request, response) => {
  const started = performance.now();
  const answer = await handleOrders(request);
  response.writeHead(answer.status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(answer.body));
  log(request, answer.status, performance.now() - started);
});

server.listen(port, () => {
  console.log(\`orders 1.4.0, pid \${process.pid}\`);
  console.log(\`listening on http://localhost:\${server.address().port}\`);
});

function log({ method, url }, status, ms) {
  console.log(\`\${method} \${url} \${status} \${ms.toFixed(1)} ms\`);
}
`;

const total = `// What an order costs. Prices come from the catalogue in euros.

export function lineTotal(line) {
  return line.price * line.quantity;
}

/** All lines together, before any discount. */
export function subtotal(order) {
  return order.lines.reduce((sum, line) => sum + lineTotal(line), 0);
}

/** What a coupon takes off. */
export function discount(order) {
  if (order.coupon === undefined) return 0;
  return subtotal(order) * (order.coupon.percent / 100);
}

/** How many things are in it, for the label on the parcel. */
export function countItems(order) {
  return order.lines.reduce((count, line) => count + line.quantity, 0);
}

/** Shipping is free for large orders. */
export function shipping(order) {
  return subtotal(order) > 50 ? 0 : 4.9;
}

/** Gifts are wrapped one by one. */
export function wrapping(order) {
  return order.isGift ? countItems(order) * 2.5 : 0;
}

export function vat(order) {
  return (subtotal(order) - discount(order)) * 0.19;
}

export function total(order) {
  const goods = subtotal(order) - discount(order);
  return goods + vat(order) + shipping(order) + wrapping(order);
}

/** As it stands on the invoice. */
export function formatTotal(order) {
  return \`\${total(order).toFixed(2)} €\`;
}
`;

const routes = `import { findOrder, saveOrder } from './store.js';
import { total } from './total.js';

/** Answers a request for /orders; everything else is not found. */
export async function handleOrders(request) {
  const { pathname } = new URL(request.url, 'http://localhost');
  const [, place, id] = pathname.split('/');
  if (place !== 'orders') return { status: 404, body: { error: 'not found' } };
  if (request.method === 'POST') return { status: 201, body: await saveOrder(request.body) };
  const order = await findOrder(id);
  if (order === undefined) return { status: 404, body: { error: 'no such order' } };
  return { status: 200, body: { ...order, total: total(order) } };
}
`;

const store = `import { randomUUID } from 'node:crypto';

const orders = new Map();

export async function saveOrder(order) {
  const saved = { ...order, id: randomUUID(), savedAt: new Date().toISOString() };
  orders.set(saved.id, saved);
  return saved;
}

export async function findOrder(id) {
  return orders.get(id);
}
`;

const totalTest = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shipping, subtotal } from '../src/orders/total.js';

const order = { lines: [{ name: 'tea', price: 4.5, quantity: 2 }, { name: 'cup', price: 12.9, quantity: 1 }] };

test('lines are added up', () => assert.equal(subtotal(order), 21.9));
test('small orders pay for shipping', () => assert.equal(shipping(order), 4.9));
`;

const readme = `# Orders

A small service that keeps orders and says what they cost.

    npm start          listens on http://localhost:8080
    npm test

| request | answer |
|---|---|
| POST /orders | the order as it was saved |
| GET /orders/ID | the order with its total |
`;

const pack = `${JSON.stringify(
  {
    name: 'orders',
    version: '1.4.0',
    private: true,
    type: 'module',
    scripts: { start: 'node src/server.js', test: 'node --test' },
  },
  null,
  2,
)}\n`;

export const projectFiles: Record<string, string> = {
  'README.md': readme,
  'package.json': pack,
  'src/server.js': server,
  'src/orders/routes.js': routes,
  'src/orders/store.js': store,
  'src/orders/total.js': total,
  'test/total.test.js': totalTest,
  'docs/api.md': '# API\n\nEvery answer is JSON.\n',
  'legacy/import-csv.js': '// Replaced by POST /orders.\n',
  'legacy/export-xml.js': '// Nobody calls this.\n',
  'legacy/samples/orders.csv': 'id,total\n1,21.90\n2,48.00\n',
  '.gitignore': 'node_modules\n',
};
