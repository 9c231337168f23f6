import { spawn } from 'node:child_process';
import { eventually } from '../../../__testUtils__/eventually';
import { markVariable } from '../process/processTable';
import { WorkspaceMonitor } from './WorkspaceMonitor';

const MEBIBYTE = 1024 ** 2;
const mark = { installation: '0123456789abcdef', workspaceId: 'workspace-big' };

describe('WorkspaceMonitor', () => {
  it.each([
    ['its devfile', 4096, 'raise memoryLimit in its devfile'],
    ['the configuration', 1, 'a platform admin can raise the limit'],
  ])(
    'says who can raise a memory limit of %s',
    async (_, configured, advice) => {
      const child = spawn(
        process.execPath,
        ['-e', 'setInterval(() => {}, 1e6)'],
        {
          env: Object.fromEntries([markVariable(mark)]),
        },
      );
      const reasons: string[] = [];
      const monitor = new WorkspaceMonitor({
        installation: mark.installation,
        limits: { memoryBytes: configured * MEBIBYTE, processes: 1024 },
        running: new Map([
          [mark.workspaceId, { state: stateWithLimit({ memoryMebibytes: 1 }) }],
        ]),
        onExceeded: (_id, reason) => reasons.push(reason),
      });
      try {
        await eventually(async () => {
          await monitor.look();
          expect(reasons).toContain(
            `The workspace used more than its 1 MiB of memory and was stopped; ${advice}`,
          );
        });
      } finally {
        monitor.stop();
        child.kill('SIGKILL');
      }
    },
  );
});

function stateWithLimit({ memoryMebibytes }: { memoryMebibytes: number }) {
  return {
    pid: 1,
    startTime: '0',
    socket: '',
    healthPath: '',
    editor: { id: 'fake', title: 'Fake', version: null },
    agentSocket: null,
    isolation: {
      kind: 'none' as const,
      network: 'shared' as const,
      limits: { memoryMebibytes, processes: null, openFiles: null },
      gaps: [],
    },
  };
}
