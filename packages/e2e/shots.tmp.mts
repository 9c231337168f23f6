import { chromium } from '@playwright/test';
import fastifyStatic from '@fastify/static';
import fastify from 'fastify';
import { Recording } from './tests/looks/Recording.ts';
const [,, modesArg, mode, ...pages] = process.argv; // mode: real|demo|empty|none|failures
const PORT = 13177;
const server = fastify();
await server.register(fastifyStatic, { root: '/work/h2/packages/app/dist', preCompressed: true });
server.setNotFoundHandler((_r, reply) => reply.sendFile('index.html'));
await server.listen({ port: PORT, host: '127.0.0.1' });
const recording = Recording.read(mode === 'empty' ? 'empty' : 'demo');
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
for (const m of modesArg.split(',')) {
  const [scheme, w] = m.split('-'); const width = Number(w);
  const context = await browser.newContext({ viewport: { width, height: width < 500 ? 844 : 900 }, colorScheme: scheme as 'dark', timezoneId: 'UTC', reducedMotion: 'reduce' });
  await context.exposeFunction('answerCall', async (call: { method: string; url: string; body: string | null }) => {
    const url = new URL(call.url);
    const isSession = url.pathname.startsWith('/api/auth/');
    if (mode === 'none' && !isSession) return new Promise(() => {});
    if (mode === 'failures' && !isSession) return { status: 503, contentType: 'application/json', body: '{"error":"Unavailable"}' };
    if (mode === 'real' && url.pathname.startsWith('/api/proxy/build-server')) {
      const r = await fetch('http://127.0.0.1:18299' + url.pathname.slice('/api/proxy/build-server'.length) + url.search, { method: call.method, redirect: 'manual', body: call.body ?? undefined, headers: { authorization: 'Basic ' + Buffer.from('root:dev-admin-token').toString('base64'), ...(call.body && { 'content-type': call.body.startsWith('{') ? 'application/json' : 'application/x-www-form-urlencoded' }) } });
      return { status: r.status, contentType: r.headers.get('content-type') ?? '', body: await r.text() };
    }
    return recording.find(call) ?? { status: 404, contentType: 'application/json', body: '{"error":"x"}' };
  });
  await context.addInitScript(() => {
    const load = window.fetch.bind(window);
    window.fetch = async (input, init) => {
      const request = new Request(input, init); const { pathname, origin } = new URL(request.url);
      if (origin === window.location.origin && !pathname.startsWith('/api/')) return load(request);
      const { status, contentType, body } = await (window as any).answerCall({ method: request.method, url: request.url, body: (await request.text()) || null });
      return new Response(status === 204 || status === 304 ? null : body, { status, headers: { 'content-type': contentType } });
    };
    class S extends EventTarget { close = () => undefined; send = () => undefined; readyState = 0; }
    Object.assign(window, { WebSocket: S, EventSource: S }); navigator.sendBeacon = () => true;
    localStorage.setItem('slipway.signIn.user', 'ada');
  });
  const page = await context.newPage();
  if (mode !== 'real') await page.clock.setFixedTime(recording.at);
  page.on('pageerror', e => console.log('ERR', e.message));
  for (const spec of pages) {
    const [name, path, act] = spec.split('|');
    await page.goto(`http://127.0.0.1:${PORT}${recording.locate(path)}`);
    await page.waitForTimeout(mode === 'real' ? 4500 : 3000);
    if (act?.startsWith('search=')) { await page.getByRole('searchbox').last().fill(act.slice(7)); await page.waitForTimeout(1500); }
    if (act?.startsWith('click=')) { await page.getByRole('button', { name: act.slice(6) }).first().click(); await page.waitForTimeout(1200); }
    const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    const h = await page.evaluate(() => Math.max(document.documentElement.scrollHeight, document.querySelector('main')?.scrollHeight ?? 0));
    await page.setViewportSize({ width, height: Math.min(2300, Math.max(844, h + 60)) });
    await page.waitForTimeout(400);
    await page.screenshot({ path: `/tmp/s/h2w/shots/${name}-${mode}-${m}.png` });
    await page.setViewportSize({ width, height: width < 500 ? 844 : 900 });
    console.log(name, mode, m, wide ? 'SIDEWAYS' : 'ok', h);
  }
  await context.close();
}
await browser.close(); await server.close();
