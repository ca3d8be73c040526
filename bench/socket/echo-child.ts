// The minimal `ws` server in a separate process: it answers every message with one of a given length.
import { WebSocketServer } from 'ws';

const answer = 'x'.repeat(Number(process.argv[2]));
const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
server.on('connection', (socket) => {
  socket.on('message', () => socket.send(answer));
});
server.on('listening', () => {
  const address = server.address();
  process.send?.(typeof address === 'object' && address !== null ? address.port : 0);
});
process.once('disconnect', () => process.exit());
