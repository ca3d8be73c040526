// A cart is a list of lines: { name, price, quantity }. Prices are in cents.

export const emptyCart = [];

/** Puts a product into the cart; of one that is there already, there are then more. */
export function addToCart(cart, product, quantity = 1) {
  const known = cart.find((line) => line.name === product.name);
  if (known === undefined) return [...cart, { ...product, quantity }];
  return cart.map((line) => (line === known ? { ...line, quantity } : line));
}

export function removeFromCart(cart, name) {
  return cart.filter((line) => line.name !== name);
}

export function countItems(cart) {
  return cart.reduce((count, line) => count + line.quantity, 0);
}

/** What all lines cost together, before any discount. */
export function subtotal(cart) {
  return cart.reduce((sum, line) => sum + line.price, 0);
}

/** A discount in percent, in whole cents. */
export function discount(cart, percent) {
  return Math.round((subtotal(cart) * percent) / 100);
}

const freeShippingFrom = 5000;
const shippingFee = 490;

/** Shipping is free from 50.00 on. */
export function shipping(cart) {
  return subtotal(cart) > freeShippingFrom ? 0 : shippingFee;
}

export function total(cart, percent = 0) {
  return subtotal(cart) - discount(cart, percent) + shipping(cart);
}
