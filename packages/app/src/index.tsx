import '@backstage/cli/asset-types';
import ReactDOM from 'react-dom/client';
// Exported by a pattern, because Backstage's builds would inline an explicitly exported file.
// eslint-disable-next-line @backstage/no-forbidden-package-imports
import '@slipway/design-system/styles.css';
import './start.css';
import { app } from './App';

const container = document.getElementById('root');
if (!container) {
  throw new Error('index.html has no element with the id "root"');
}
ReactDOM.createRoot(container).render(app.createRoot());
