import type { Scale } from './CognitiveLoad.ts';

interface FormDimension {
  id: Scale;
  label: string;
  question: string;
  low_label: string;
  high_label: string;
}

/** The form from which a client builds the assessment. */
export const assessmentForm: {
  title: string;
  instructions: string;
  scale: { min: number; max: number; step: number };
  dimensions: FormDimension[];
} = {
  title: 'Cognitive load of a task',
  instructions:
    'Think of one task that you finished lately and mark each scale where it felt. ' +
    'There are no right answers. Mind the scale of performance: it runs from perfect, ' +
    '0, to failure, 100.',
  scale: { min: 0, max: 100, step: 5 },
  dimensions: [
    {
      id: 'mental_demand',
      label: 'Mental demand',
      question:
        'How much thinking, remembering and searching did the task take?',
      low_label: 'Very low',
      high_label: 'Very high',
    },
    {
      id: 'physical_demand',
      label: 'Physical demand',
      question: 'How much bodily effort did the task take?',
      low_label: 'Very low',
      high_label: 'Very high',
    },
    {
      id: 'temporal_demand',
      label: 'Temporal demand',
      question: 'How hurried or rushed was the pace of the task?',
      low_label: 'Very low',
      high_label: 'Very high',
    },
    {
      id: 'performance',
      label: 'Performance',
      question: 'How well did you do what you set out to do?',
      low_label: 'Perfect',
      high_label: 'Failure',
    },
    {
      id: 'effort',
      label: 'Effort',
      question: 'How hard did you have to work to get there?',
      low_label: 'Very low',
      high_label: 'Very high',
    },
    {
      id: 'frustration',
      label: 'Frustration',
      question: 'How annoyed, stressed or insecure were you?',
      low_label: 'Very low',
      high_label: 'Very high',
    },
  ],
};
