// How the cart looks on a screen.
import { shipping, total } from './cart.js';

export function formatPrice(cents) {
  return `${(cents / 100).toFixed(2)} €`;
}

export function formatCart(cart) {
  const lines = cart.map((line) => `${line.quantity} × ${line.name}  ${formatPrice(line.price * line.quantity)}`);
  return [...lines, `Shipping  ${formatPrice(shipping(cart))}`, `Total  ${formatPrice(total(cart))}`].join('\n');
}
