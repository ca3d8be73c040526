// Loaded when lines are wanted. A module of its own, since a bundle loads CommonJS on demand only through one.
export { pino } from 'pino';
