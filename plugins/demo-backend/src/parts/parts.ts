import { analyticsPart } from './analyticsPart';
import { buildsPart } from './buildsPart';
import { catalogPart } from './catalogPart';
import { deliveryPart } from './deliveryPart';
import type { DemoPart } from './DemoPart';
import { flagsPart } from './flagsPart';
import { feedbackPart } from './feedbackPart';
import { experiencePart, type ExperienceTarget } from './experiencePart';

/** Creates all parts of the platform with demo data. */
export function demoParts(options: {
  spaceMetrics: ExperienceTarget;
}): readonly DemoPart[] {
  return [
    catalogPart,
    deliveryPart,
    buildsPart,
    experiencePart(options.spaceMetrics),
    analyticsPart,
    feedbackPart,
    flagsPart,
  ];
}
