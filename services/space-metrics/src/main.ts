import { runService } from '@slipway/service-kit';
import { spaceMetrics } from './service.ts';

void runService(spaceMetrics);
