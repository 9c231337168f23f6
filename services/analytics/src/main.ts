import { runService } from '@slipway/service-kit';
import { defineAnalytics } from './service.ts';

void runService(defineAnalytics());
