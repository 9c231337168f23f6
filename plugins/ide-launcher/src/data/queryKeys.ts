/** Where the query cache holds what. Every key starts with the plugin's id. */
export const queryKeys = {
  list: ['ide-launcher', 'list'] as const,
  workspace: (workspaceId: string) =>
    ['ide-launcher', 'workspace', workspaceId] as const,
  log: (workspaceId: string) => ['ide-launcher', 'log', workspaceId] as const,
  options: ['ide-launcher', 'options'] as const,
  preview: (devfileUrl: string) =>
    ['ide-launcher', 'preview', devfileUrl] as const,
};
