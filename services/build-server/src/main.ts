import { runService } from '@slipway/service-kit';
import { buildServer } from './service.ts';

void runService(buildServer);
