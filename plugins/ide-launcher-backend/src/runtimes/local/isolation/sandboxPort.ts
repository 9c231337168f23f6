import { PortTarget } from '../../WorkspaceRuntime';
import { AgentClient } from './AgentClient';

/**
 * A port of a sandbox's own network, in which nobody but the workspace itself can listen.
 *
 * @returns null when nothing listens there.
 */
export async function sandboxPort(
  agent: AgentClient,
  port: number,
): Promise<PortTarget | null> {
  return (await agent.listens(port))
    ? {
        host: '127.0.0.1',
        port,
        async connect() {
          const socket = await agent.openPort(port);
          if (!socket) {
            throw new Error('Nothing listens there any more');
          }
          return socket;
        },
      }
    : null;
}
