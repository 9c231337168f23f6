import { Route, Routes } from 'react-router-dom';
import { FrictionPage } from './Friction/FrictionPage';
import { OverviewPage } from './Overview/OverviewPage';
import { PulsePage } from './Pulse/PulsePage';
import { SpaceFrame } from './SpaceFrame';
import { TaskLoadPage } from './TaskLoad/TaskLoadPage';
import { YourDataPage } from './YourData/YourDataPage';

/** The plugin's pages beneath `/experience`. */
export function SpaceRoutes() {
  return (
    <Routes>
      <Route element={<SpaceFrame />}>
        <Route index element={<OverviewPage />} />
        <Route path="friction" element={<FrictionPage />} />
        <Route path="friction/:category" element={<FrictionPage />} />
        <Route path="pulse" element={<PulsePage />} />
        <Route path="task-load" element={<TaskLoadPage />} />
        <Route path="your-data" element={<YourDataPage />} />
      </Route>
    </Routes>
  );
}
