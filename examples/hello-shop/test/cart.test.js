import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addToCart, countItems, emptyCart, removeFromCart, shipping, subtotal, total } from '../src/cart.js';
import { formatPrice } from '../src/format.js';

const tea = { name: 'tea', price: 450 };
const cup = { name: 'cup', price: 1250 };

test('a product that is put in twice is there twice', () => {
  const cart = addToCart(addToCart(emptyCart, tea), tea);
  assert.deepEqual(cart, [{ ...tea, quantity: 2 }]);
});

test('the subtotal counts every piece', () => {
  assert.equal(subtotal(addToCart(emptyCart, tea, 3)), 1350);
});

test('shipping is free from exactly 50.00 on', () => {
  assert.equal(shipping([{ name: 'lamp', price: 5000, quantity: 1 }]), 0);
});

test('shipping costs 4.90 below that', () => {
  assert.equal(shipping(addToCart(emptyCart, tea)), 490);
});

test('a removed product is gone', () => {
  const cart = removeFromCart(addToCart(addToCart(emptyCart, tea), cup), 'tea');
  assert.equal(countItems(cart), 1);
});

test('the total takes the discount off and adds shipping', () => {
  assert.equal(total(addToCart(emptyCart, cup), 10), 1250 - 125 + 490);
});

test('a price has two decimals', () => {
  assert.equal(formatPrice(450), '4.50 €');
});
