import { runService } from '@slipway/service-kit';
import { feedbackService } from './service.ts';

void runService(feedbackService);
