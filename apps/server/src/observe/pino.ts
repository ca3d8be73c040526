// Loaded when log lines are needed. A separate module, because a bundle loads CommonJS on demand only through one.
export { pino } from 'pino';
