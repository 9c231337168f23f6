import { useApi } from '@backstage/frontend-plugin-api';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { spaceApiRef } from '../api/SpaceApi';
import type { ReminderChange } from '../api/types';

const KEY = ['reminder'];

/** When the reader is asked next. */
export function useReminder() {
  const api = useApi(spaceApiRef);
  return useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => api.getReminder({ signal }),
  });
}

/** Snoozes, stops and starts the reminder. */
export function useChangeReminder() {
  const api = useApi(spaceApiRef);
  const client = useQueryClient();
  return useMutation({
    mutationFn: (change: ReminderChange) => api.changeReminder(change),
    onSuccess: reminder => client.setQueryData(KEY, reminder),
  });
}
