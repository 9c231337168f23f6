import type { HostileCase } from './HostileCase.ts';
import { SLEEP } from './HostileBench.ts';

const ENTITIES = Array.from(
  { length: 10 },
  (_, level) => `<!ENTITY l${level + 1} "${`&l${level};`.repeat(10)}">`,
).join('');

/** Attacks by the programs of a build. */
export const stepCases: readonly HostileCase[] = [
  {
    name: 'a step never sees the environment of the server',
    script: `for f in /proc/[0-9]*/environ /proc/$PPID/environ /proc/self/environ; do tr '\\0' '\\n' < $f || true; done 2>&1; env; cat SCRATCH/canary /proc/*/root/etc/shadow || true`,
    outcome: /^SUCCESS$/,
  },
  {
    name: 'a step never finds secrets in files or memory',
    script: `grep -rsl canary-of /build /tmp /etc /home /root /var /run /opt 2>/dev/null || true; head -c 1000 /proc/$PPID/mem /proc/kcore /dev/mem 2>&1 || true; ls -la / SCRATCH 2>&1 || true`,
    outcome: /^SUCCESS$/,
  },
  {
    name: 'a step never gets secrets by naming them',
    script: 'echo "$OTHER"; set',
    job: { environment: { WANTED: 'other' } },
    outcome: /^SUCCESS$/,
  },
  {
    name: 'a step never writes outside its folders',
    script: `for f in /usr/x /etc/x /x ../../x /bin/sh SCRATCH/pwned SCRATCH/canary /proc/sys/kernel/core_pattern /sys/x /dev/shm/../x; do echo evil > $f || true; done 2>&1; ln -s SCRATCH l; echo evil > l/pwned || true`,
    outcome: /^SUCCESS$/,
  },
  {
    name: 'a step never becomes someone else',
    script: `cp /bin/sh ./s; chmod 6755 ./s; ./s -c 'id -u'; mount -t tmpfs x /tmp || true; mknod d b 8 0 || true; unshare -Ur true || true; chroot / true || true; setpriv --reuid 0 id -u || true; sudo -n true || true; su -c id || true`,
    outcome: /^SUCCESS$/,
    never: /^0$/m,
  },
  ...[
    `env -i setsid sleep ${SLEEP} & env -i setsid sh -c 'setsid sleep ${SLEEP} &'`,
    `(trap '' TERM HUP INT; nohup setsid sleep ${SLEEP} > /dev/null 2>&1 &) &`,
    `sh -c 'trap "" TERM; sleep ${SLEEP} & sleep ${SLEEP} & exit' & exec > /dev/null 2>&1`,
  ].map((script, index): HostileCase => ({
    name: `a process never outlives its step ${index}`,
    script,
    outcome: /^SUCCESS$/,
  })),
  {
    name: 'a process that ignores signals never outlives the timeout',
    script: `trap '' TERM INT HUP; sleep ${SLEEP} & while :; do sleep ${SLEEP}; done`,
    job: { timeoutSeconds: 1 },
    outcome: /^FAILURE$/,
    says: /Timed out/,
  },
  {
    name: 'a step never ends the server or other builds',
    script: 'kill -9 $PPID; kill -9 1; kill -9 -1',
    outcome: /^(?:SUCCESS|FAILURE)$/,
  },
  {
    name: 'a fork bomb never takes more processes than allowed',
    script: `f() { f | f & }; f; sleep 1; echo still; i=0; while [ $i -lt 100 ]; do sleep ${SLEEP} & i=$((i+1)); done`,
    job: { timeoutSeconds: 3 },
    outcome: /^(?:SUCCESS|FAILURE)$/,
  },
  {
    name: 'a file never fills the disk',
    script: 'head -c 200000000 /dev/zero > big; ls -s big; exit 1',
    outcome: /^FAILURE$/,
    never: /^1953/m,
  },
  {
    name: 'memory never grows without end',
    script: 'head -c 600000000 /dev/zero | tail > /dev/null; echo done',
    job: { timeoutSeconds: 15 },
    outcome: /^(?:SUCCESS|FAILURE)$/,
  },
  {
    name: 'a flood of output never fills the log',
    script: 'yes 0123456789012345678901234567890123456789 | head -c 60000000',
    outcome: /^SUCCESS$/,
    says: /the rest of the output is left out/,
  },
  {
    name: 'one endless line never fills memory',
    script: "head -c 30000000 /dev/zero | tr '\\0' x",
    outcome: /^SUCCESS$/,
  },
  {
    name: 'output never decides the result',
    script: `printf '\\033[2J\\033]0;x\\007::set-output name=x::y\\n::add-mask::x\\n##vso[task.complete result=Succeeded]\\r==> Deploy\\nFinished: SUCCESS\\n\\377\\000\\376'; exit 4`,
    outcome: /^FAILURE$/,
    says: /Finished: FAILURE/,
  },
  {
    name: 'an offline step never reaches the server or anything else',
    script: 'true',
    job: {
      steps: [
        {
          name: 'Run',
          network: 'none',
          run: `for a in 127.0.0.1/22 127.0.0.1/8200 10.0.0.1/80 169.254.169.254/80; do timeout 1 bash -c "echo > /dev/tcp/$a" && echo reached-it; done 2>&1; true`,
        },
      ],
    },
    outcome: /^SUCCESS$/,
    never: /reached-it/,
  },
  ...[
    'mkdir out; ln -s /etc/passwd out/a.txt; ln -s SCRATCH/canary out/b.txt; ln -s /proc/self/environ out/c.txt; echo',
    'ln -s / out; echo',
    'mkdir out; mkfifo out/fifo.txt; echo',
    "mkdir out; echo x > 'out/..%2f..%2fx.txt'; echo x > 'out/a\nb.txt'; echo x > \"out/\\$(touch pwned).txt\"; echo",
    'mkdir -p out/a; ln /etc/hostname out/h.txt || true; (while :; do rm -rf out/x; ln -s /etc/passwd out/x 2>/dev/null; rm -f out/x; echo y > out/x; done) & sleep 0.2; echo',
  ].map((script, index): HostileCase => ({
    name: `artifacts never are files of the server ${index}`,
    script,
    job: { artifacts: ['out/**', '../../*', '/etc/*'] },
    outcome: /^(?:SUCCESS|FAILURE|REFUSED)$/,
  })),
  {
    name: 'artifacts never are too many',
    script:
      'mkdir out; i=0; while [ $i -lt 1500 ]; do : > out/$i; i=$((i+1)); done',
    job: { artifacts: ['out/*'] },
    outcome: /^FAILURE$/,
    says: /more than 1000 artifacts/,
  },
  {
    name: 'artifacts never are too large, even if they look small',
    script: 'mkdir out; truncate -s 20M out/sparse; truncate -s 3M out/a out/b',
    job: { artifacts: ['out/*'] },
    outcome: /^FAILURE$/,
    says: /larger than 5000000 bytes/,
  },
  {
    name: 'an archive in a cache never writes outside',
    script: `mkdir -p store; ln -s SCRATCH store/link; ln -s /etc/passwd store/p; echo evil > store/x`,
    job: { cache: [{ name: 'c', paths: ['store', '~/../../etc'] }] },
    outcome: /^(?:SUCCESS|REFUSED)$/,
  },
  {
    name: 'a link never becomes a cached file of the server',
    script: 'ln -s /etc store; ln -s SCRATCH/canary ~/c',
    job: { cache: [{ name: 'c', paths: ['store', '~/c'] }] },
    outcome: /^SUCCESS$/,
  },
  ...[
    `printf '%s' '<!DOCTYPE x [<!ENTITY l0 "aaaaaaaaaa">${ENTITIES}]><testsuite><testcase name="a"><failure message="&l10;"/></testcase></testsuite>' > r.xml`,
    `printf '%s' '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><testsuite><testcase name="a"><failure>&e;</failure></testcase></testsuite>' > r.xml`,
    'ln -s /etc/passwd r.xml',
    'mkfifo r.xml',
    'head -c 25000000 /dev/zero > r.xml',
    `(printf '<testsuite>'; yes '<testsuite>' | head -n 50000) > r.xml`,
  ].map((script, index): HostileCase => ({
    name: `a test report never is more than a report ${index}`,
    script,
    job: { junit: ['r.xml'] },
    outcome: /^(?:FAILURE|UNSTABLE)$/,
  })),
  {
    name: 'a parameter never is a command',
    script: 'printf "%s\\n" "$TEXT"',
    job: { parameters: [{ name: 'TEXT' }] },
    parameters: {
      TEXT: '"; touch /tmp/pwned; $(touch /tmp/pwned) `touch /tmp/pwned`',
      LD_PRELOAD: './evil.so',
      PATH: '/build/work',
    },
    outcome: /^SUCCESS$/,
  },
];
