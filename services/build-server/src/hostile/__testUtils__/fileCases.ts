import type { HostileCase } from './HostileCase.ts';

const STEP = "steps: [{ name: Run, run: 'echo pipeline-ran' }]\n";

function aliasBomb(): string {
  const levels = Array.from(
    { length: 12 },
    (_, level) =>
      `l${level}: &l${level} [${Array.from({ length: 12 }, () => (level === 0 ? 'x' : `*l${level - 1}`)).join(', ')}]`,
  );
  return `${levels.join('\n')}\n${STEP}`;
}

/** Hostile pipeline files: the title of each case, and the text of the file. */
const FILES: readonly (readonly [string, string])[] = [
  ['aliases never multiply without end', aliasBomb()],
  ['aliases never form a circle', `a: &a [*a]\n${STEP}`],
  [
    'many keys never keep the parser busy',
    `${Array.from({ length: 6_000 }, (_, at) => `k${at}: 1`).join('\n')}\n${STEP}`,
  ],
  ['a huge file is never parsed', `# ${'x'.repeat(5_000_000)}\n${STEP}`],
  [
    'deep nesting never overflows the stack',
    `a: ${'['.repeat(20_000)}\n${STEP}`,
  ],
  [
    'tags never make objects',
    `a: !!js/function 'function () { process.exit(1) }'\n${STEP}`,
  ],
  ['directives never change the language', `%YAML 1.1\n---\n${STEP}`],
  [
    'prototypes are never polluted',
    `__proto__: { polluted: true }\nconstructor: { prototype: { polluted: true } }\n${STEP}`,
  ],
  [
    'a matrix never explodes',
    `steps: [{ name: Run, run: 'echo pipeline-ran', matrix: ${JSON.stringify(Object.fromEntries(['A', 'B', 'C', 'D'].map(name => [name, Array.from({ length: 20 }, (_, at) => String(at))])))} }]\n`,
  ],
  [
    'cyclic needs never wait for each other',
    "steps: [{ name: A, run: 'echo pipeline-ran', needs: [B] }, { name: B, run: 'true', needs: [A] }]\n",
  ],
  [
    'thousands of steps are never run',
    `steps:\n${Array.from({ length: 1_500 }, (_, at) => `  - { name: s${at}, run: 'echo pipeline-ran' }`).join('\n')}\n`,
  ],
  [
    'secrets of other jobs are never given',
    "steps: [{ name: Run, run: 'echo pipeline-ran $OTHER', secrets: { OTHER: other } }]\n",
  ],
  [
    'variables never change the loader or git',
    "environment: { LD_PRELOAD: ./evil.so, GIT_SSH_COMMAND: 'touch /tmp/pwned' }\nsteps: [{ name: Run, run: 'echo pipeline-ran' }]\n",
  ],
  [
    'keys of the server are never taken from a commit',
    `owner: user:default/eve\nwebhook: { token: hello-webhook }\n${STEP}`,
  ],
  [
    'a working directory never is outside',
    "steps: [{ name: Run, run: 'echo pipeline-ran', workingDirectory: ../../.. }]\n",
  ],
  [
    'a cache never is outside',
    `cache: [{ name: c, paths: [../../etc, '~/../../x'] }]\n${STEP}`,
  ],
  ['a timeout never is infinite', `timeoutSeconds: 1e99\n${STEP}`],
  [
    'a condition never is code',
    "steps: [{ name: Run, run: 'echo pipeline-ran', if: 'process.exit(1)' }]\n",
  ],
  [
    'a name never is a terminal sequence',
    'steps: [{ name: "\\e]0;x\\a", run: \'echo pipeline-ran\' }]\n',
  ],
];

/** Attacks through pipeline files, and through job keys that refer to files. */
export const fileCases: readonly HostileCase[] = [
  ...FILES.map(([name, text]): HostileCase => ({
    name,
    pipeline: true,
    repository(repository) {
      repository.write('.slipway/evil.yaml', text);
      repository.commit();
    },
    outcome: /^FAILURE$/,
    never: /^pipeline-ran/m,
  })),
  {
    name: 'a glob never takes exponential time',
    pipeline: true,
    repository(repository) {
      repository.write(
        '.slipway/evil.yaml',
        `steps: [{ name: Run, run: 'echo pipeline-ran', if: "parameters.TEXT =~ '${'*a'.repeat(60)}*b'" }]\n`,
      );
      repository.commit();
    },
    job: { parameters: [{ name: 'TEXT' }] },
    parameters: { TEXT: 'a'.repeat(4_000) },
    outcome: /^(?:SUCCESS|FAILURE)$/,
    never: /^pipeline-ran/m,
  },
  {
    name: 'a job never follows itself without end',
    script: 'true',
    job: { after: [{ job: 'a-job-never-follows-itself-without-end' }] },
    outcome: /^(?:REFUSED|SUCCESS)$/,
  },
];
