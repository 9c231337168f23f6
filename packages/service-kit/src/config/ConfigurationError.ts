/** The configuration does not do; says every fault at once, one a line. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(
      faults.length === 1
        ? `The configuration has a fault: ${faults[0]}`
        : `The configuration has ${faults.length} faults:\n${faults
            .map(fault => `  ${fault}`)
            .join('\n')}`,
    );
    this.faults = faults;
  }
}
