import { runService } from '@slipway/service-kit';
import { featureFlags } from './service.ts';

void runService(featureFlags);
