import { createServer } from 'node:net';
import type { PartDefinition } from '../PartDefinition.ts';
import { findPortHolder } from './findPortHolder.ts';

const LOOPBACK_ADDRESSES = ['127.0.0.1', '::1'];

/** Says of every port that is not free which it is, who needs it and who has it. */
export async function findTakenPorts(
  parts: readonly Pick<PartDefinition, 'name' | 'ports'>[],
): Promise<string[]> {
  const wanted = parts.flatMap(({ name, ports }) =>
    ports.map(port => ({ name, port })),
  );
  const messages = await Promise.all(
    wanted.map(async ({ name, port }) =>
      (await isFree(port)) ? undefined : describeTaken(name, port),
    ),
  );
  return messages.filter(message => message !== undefined);
}

function describeTaken(part: string, port: number): string {
  const holder = findPortHolder(port);
  const who = holder
    ? `process ${holder.pid} (${holder.command})`
    : 'a process that this user cannot see';
  return `port ${port}, which ${part} needs, is taken by ${who}`;
}

async function isFree(port: number): Promise<boolean> {
  const answers = await Promise.all(
    LOOPBACK_ADDRESSES.map(host => canListen(host, port)),
  );
  return answers.every(Boolean);
}

/** False only when the address is in use: a machine may lack IPv6 altogether. */
function canListen(host: string, port: number): Promise<boolean> {
  return new Promise(resolve => {
    const server = createServer()
      .once('error', (error: NodeJS.ErrnoException) =>
        resolve(error.code !== 'EADDRINUSE'),
      )
      .listen({ host, port, exclusive: true }, () =>
        server.close(() => resolve(true)),
      );
  });
}
