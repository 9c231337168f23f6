import { hideEnvironment } from './hideEnvironment.ts';

async function main(): Promise<void> {
  // Must come before any other import: it may re-execute this program.
  hideEnvironment();
  const { runService } = await import('@slipway/service-kit');
  const { buildServer } = await import('./service.ts');
  await runService(buildServer);
}

void main();
