import { runService } from '@slipway/service-kit';
import { designSite } from './service.ts';

void runService(designSite);
