import { Route, Routes } from 'react-router-dom';
import { WorkspaceDataProvider } from '../data/WorkspaceDataProvider';
import { OpenPage } from './OpenPage/OpenPage';
import { WorkspacePage } from './WorkspacePage/WorkspacePage';
import { WorkspacesPage } from './WorkspacesPage/WorkspacesPage';

/** The plugin's pages beneath `/workspaces`. */
export function WorkspaceRoutes() {
  return (
    <WorkspaceDataProvider>
      <Routes>
        <Route index element={<WorkspacesPage />} />
        <Route path=":workspaceId" element={<WorkspacePage />} />
        <Route path=":workspaceId/open" element={<OpenPage />} />
      </Routes>
    </WorkspaceDataProvider>
  );
}
