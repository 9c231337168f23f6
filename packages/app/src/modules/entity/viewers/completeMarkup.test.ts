import { completeMarkup } from './completeMarkup';

const NAMES = { close: 'Close', requestBody: 'Request body', server: 'Server' };

/** Puts markup of Swagger UI into an element, completes it, and returns the element. */
function completed(markup: string): HTMLElement {
  const view = document.createElement('div');
  view.innerHTML = markup;
  completeMarkup(view, NAMES);
  return view;
}

it('leaves one control of the button of an operation and the link in it', () => {
  const view = completed(`
    <h3><a class="nostyle" href="#/carts">carts</a></h3>
    <button class="opblock-summary-control">
      GET <a class="nostyle" href="#/carts/readCart">/carts</a>
    </button>`);
  expect(view.querySelectorAll('button a[href]')).toHaveLength(0);
  expect(view.querySelectorAll('h3 a[href]')).toHaveLength(1);
});

it('names controls after what they set', () => {
  const view = completed(`
    <div class="servers">
      <label for="servers"><select id="servers"></select></label>
      <table><tr><td>region</td><td><input data-variable="region"></td></tr></table>
    </div>
    <table>
      <tr data-param-name="limit">
        <td class="parameters-col_description"><input placeholder="limit"></td>
      </tr>
      <tr data-property-name="file">
        <td class="parameters-col_description"><select></select></td>
      </tr>
    </table>
    <div class="opblock-section-request-body"><textarea></textarea></div>
    <button class="close-modal"><svg></svg></button>`);
  const names = [...view.querySelectorAll('[aria-label]')].map(element => [
    element.tagName.toLowerCase(),
    element.getAttribute('aria-label'),
  ]);
  expect(names).toEqual([
    ['select', 'Server'],
    ['input', 'region'],
    ['input', 'limit'],
    ['select', 'file'],
    ['textarea', 'Request body'],
    ['button', 'Close'],
  ]);
});

it('keeps names that are there already', () => {
  const view = completed(
    '<div class="servers"><label><select aria-label="Region"></select></label></div>',
  );
  expect(view.querySelector('select')).toHaveAttribute('aria-label', 'Region');
});

it('names buttons as they are labelled, not the parts around them', () => {
  const view = completed(`
    <div class="copy-to-clipboard" aria-label="Copy"><button aria-label="Copy"></button></div>
    <button class="btn modal-btn" aria-label="Apply credentials">Authorize</button>`);
  const named = [...view.querySelectorAll('[aria-label]')];
  expect(named.map(element => element.outerHTML)).toEqual([
    '<button aria-label="Copy"></button>',
  ]);
});

it('makes code that scrolls reachable by keyboard', () => {
  const view = completed(
    '<pre>syntax = "proto3";</pre><small><pre class="version">1.0.0</pre></small>',
  );
  expect(view.querySelectorAll('[tabindex="0"]')).toHaveLength(1);
});

it('makes a window over the page a dialog that Escape closes', () => {
  const view = document.createElement('div');
  document.body.append(view);
  view.innerHTML = `
    <div class="modal-ux"><h3>Available authorizations</h3>
      <button class="close-modal"></button><input>
    </div>`;
  const close = vi.fn();
  view.querySelector('button')?.addEventListener('click', close);
  completeMarkup(view, NAMES);
  completeMarkup(view, NAMES);
  const dialog = view.querySelector('[role="dialog"]');
  expect(dialog).toHaveAttribute('aria-label', 'Available authorizations');
  expect(document.activeElement).toHaveAttribute('aria-label', 'Close');
  view
    .querySelector('input')
    ?.dispatchEvent(
      new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }),
    );
  expect(close).toHaveBeenCalledTimes(1);
  view.remove();
});
