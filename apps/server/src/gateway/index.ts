export { type Running, type StartOptions, startGateway } from './start-gateway.ts';
