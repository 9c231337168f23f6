import type { Reporter, TestModule } from 'vitest/node';

/** A Vitest reporter that lists the tests that failed and passed on the second attempt. */
export class FlakyTestsReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const flaky = modules.flatMap(module =>
      [...module.children.allTests('passed')]
        .filter(test => test.diagnostic()?.flaky)
        .map(test => {
          const [error] = test.result().errors ?? [];
          const message = error?.message.split('\n')[0] ?? 'no message';
          return `  ${module.project.name}  ${module.relativeModuleId} > ${test.fullName}: ${message}`;
        }),
    );
    if (flaky.length > 0) {
      console.log(
        [
          `\n${flaky.length} flaky, passed on the second attempt:`,
          ...flaky,
        ].join('\n'),
      );
    }
  }
}
