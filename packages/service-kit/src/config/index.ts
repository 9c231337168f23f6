export { type CommonConfig, CredentialConfig } from './CommonConfig.ts';
export { ConfigurationError } from './ConfigurationError.ts';
