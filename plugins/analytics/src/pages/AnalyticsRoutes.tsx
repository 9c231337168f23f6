import { Route, Routes } from 'react-router-dom';
import { AnalyticsFrame } from './AnalyticsFrame';
import { LivePage } from './Live/LivePage';
import { QueryPage } from './Query/QueryPage';
import { SettingsPage } from './Settings/SettingsPage';

/** The plugin's pages beneath `/analytics`. */
export function AnalyticsRoutes() {
  return (
    <Routes>
      <Route element={<AnalyticsFrame />}>
        <Route index element={<LivePage />} />
        <Route path="query" element={<QueryPage />} />
        <Route path="settings" element={<SettingsPage />} />
      </Route>
    </Routes>
  );
}
