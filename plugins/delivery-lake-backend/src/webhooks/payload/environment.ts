import { DeliveryLakeConfig } from '../../config';

/** The lake's name of an environment: dev, staging or prod by configuration, or else as reported in lower case. */
export function environmentOf(
  reported: string,
  config: DeliveryLakeConfig,
): string {
  const name = reported.trim().toLocaleLowerCase('en-US');
  return config.environments.get(name) ?? name;
}
