import { createFrontDoor } from './frontDoor.ts';

// Usage: node main.ts <port> <address of the backend>

const [port, backend] = process.argv.slice(2);
const server = createFrontDoor(backend).listen(Number(port), '127.0.0.1');

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => process.exit());
}
server.once('error', error => {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
});
