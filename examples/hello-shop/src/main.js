import { addToCart, emptyCart } from './cart.js';
import { formatCart } from './format.js';

const tea = { name: 'tea', price: 450 };
const cup = { name: 'cup', price: 1290 };

console.log(formatCart(addToCart(addToCart(emptyCart, tea, 2), cup)));
