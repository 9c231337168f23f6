import '@backstage/cli/asset-types';
import ReactDOM from 'react-dom/client';
import '@slipway/design-system/styles.css';
import { app } from './App';

const container = document.getElementById('root');
if (!container) {
  throw new Error('index.html has no element with the id "root"');
}
ReactDOM.createRoot(container).render(app.createRoot());
