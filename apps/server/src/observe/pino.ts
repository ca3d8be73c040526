// Loaded when log lines are needed. A module of its own, because a bundle loads CommonJS on demand only through one.
export { pino } from 'pino';
