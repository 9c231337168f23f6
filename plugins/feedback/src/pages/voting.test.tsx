import { screen, waitFor, within } from '@testing-library/react';
import { ResponseError } from '@backstage/errors';
import { FakeFeedbackApi, feedback } from '../__testUtils__/FakeFeedbackApi';
import { renderPlugin } from '../__testUtils__/renderPlugin';

const SECRET = 'The words of the sender';

const faster = feedback({
  message: SECRET,
  votes: 2,
  voting: { title: 'A faster search', isOpen: true },
});
const darker = feedback({
  id: 'fb_2',
  message: SECRET,
  voting: { title: 'A darker theme', isOpen: true },
});

/** Returns the focused element; null if it is the document body. */
const focused = () =>
  document.activeElement === document.body
    ? null
    : (document.activeElement as HTMLElement);

const vote = (title: string) =>
  screen.findByRole('button', { name: `Vote for ${title}` });

describe('voting', () => {
  it('explains what appears there', async () => {
    renderPlugin({ api: new FakeFeedbackApi(), path: '/feedback/voting' });
    expect(
      await screen.findByText('Nothing is open for voting yet'),
    ).toBeVisible();
    expect(
      await screen.findByRole('link', { name: 'Open triage' }),
    ).toHaveAttribute('href', '/feedback/triage');
  });

  it('shows no link to triage to users who may not triage', async () => {
    const api = new FakeFeedbackApi();
    api.options = { ...api.options, mayTriage: false };
    renderPlugin({ api, path: '/feedback/voting' });
    await screen.findByText('Nothing is open for voting yet');
    expect(screen.queryByRole('link', { name: 'Open triage' })).toBeNull();
  });

  it('lists titles without messages, and votes from the list and the panel', async () => {
    const api = new FakeFeedbackApi([faster, darker]);
    const { user, address } = renderPlugin({ api, path: '/feedback/voting' });
    const button = await vote('A faster search');
    expect(button).toHaveAttribute('aria-pressed', 'false');
    expect(screen.getByRole('img', { name: '2 votes' })).toBeVisible();
    await user.click(button);
    expect(await screen.findByRole('img', { name: '3 votes' })).toBeVisible();
    await waitFor(() => expect(button).toHaveAttribute('aria-pressed', 'true'));
    expect(button).toHaveFocus();

    await user.click(screen.getByRole('link', { name: 'A darker theme' }));
    expect(address()).toBe('/feedback/voting/fb_2');
    const panel = within(await screen.findByRole('complementary'));
    await user.click(await panel.findByRole('button', { name: /Vote for/ }));
    expect(await panel.findByRole('img', { name: '1 vote' })).toBeVisible();
    await user.click(panel.getByRole('button', { name: /Vote for/ }));
    expect(await panel.findByRole('img', { name: '0 votes' })).toBeVisible();
    expect([...api.voted]).toEqual(['fb_1']);
    expect(screen.queryByText(SECRET)).toBeNull();
  });

  it('keeps the order of the list while people vote, and filters it', async () => {
    const api = new FakeFeedbackApi([faster, darker]);
    const { user, address } = renderPlugin({ api, path: '/feedback/voting' });
    await user.click(await vote('A darker theme'));
    await waitFor(() =>
      expect(api.ballotQueries.at(-1)).toMatchObject({
        sort: 'votes',
        votesUntil: '2026-11-20T14:00:00.000Z',
      }),
    );
    await user.click(screen.getByRole('button', { name: /Entries/ }));
    await user.click(
      await screen.findByRole('option', { name: 'With my vote' }),
    );
    await waitFor(() => expect(address()).toBe('/feedback/voting?voted=true'));
    await waitFor(() =>
      expect(screen.queryByText('A faster search')).toBeNull(),
    );
    await user.click(await vote('A darker theme'));
    expect(await screen.findByText('No matching feedback')).toBeVisible();
  });

  it('says when a vote was not counted', async () => {
    const api = new FakeFeedbackApi([faster]);
    const { user } = renderPlugin({ api, path: '/feedback/voting' });
    const button = await vote('A faster search');
    vi.spyOn(api, 'setVote').mockRejectedValue(new Error('No answer'));
    await user.click(button);
    await waitFor(() =>
      expect(screen.getByText("Couldn't change your vote")).toBeVisible(),
    );
    await waitFor(() =>
      expect(button).toHaveAttribute('aria-pressed', 'false'),
    );
  });

  it('lets votes for what is closed be taken back alone', async () => {
    const voting = { title: 'A faster search', isOpen: false };
    const api = new FakeFeedbackApi([{ ...faster, voting }]);
    api.voted.add('fb_1');
    const { user } = renderPlugin({ api, path: '/feedback/voting/fb_1' });
    const panel = within(await screen.findByRole('complementary'));
    expect(await panel.findByText('Closed for voting')).toBeVisible();
    const button = panel.getByRole('button', { name: /Vote for/ });
    await user.click(button);
    await waitFor(() => expect(button).toBeDisabled());
  });

  it('tells that what is closed is gone with the vote, and keeps the focus', async () => {
    const voting = { title: 'A faster search', isOpen: false };
    const api = new FakeFeedbackApi([{ ...faster, voting }]);
    api.voted.add('fb_1');
    const { user } = renderPlugin({ api, path: '/feedback/voting/fb_1' });
    const aside = await screen.findByRole('complementary');
    const panel = within(aside);
    const button = await panel.findByRole('button', { name: /Vote for/ });
    const gone = await ResponseError.fromResponse(
      Response.json({}, { status: 404 }) as never,
    );
    vi.spyOn(api, 'getBallot').mockRejectedValue(gone);
    await user.click(button);
    expect(await panel.findByText('Feedback not found')).toBeVisible();
    await waitFor(() =>
      expect(panel.queryByRole('button', { name: /Vote for/ })).toBeNull(),
    );
    await waitFor(() => expect(aside).toContainElement(focused()));
  });

  it('links a duplicate to the other entry', async () => {
    renderPlugin({
      api: new FakeFeedbackApi([feedback({ mergedInto: 'fb_2' }), darker]),
      path: '/feedback/mine/fb_1',
    });
    expect(
      await screen.findByRole('link', { name: 'View the other entry' }),
    ).toHaveAttribute('href', '/feedback/voting/fb_2');
  });

  it('names the other entry of a duplicate on the page of votes', async () => {
    renderPlugin({
      api: new FakeFeedbackApi([{ ...faster, mergedInto: 'fb_2' }, darker]),
      path: '/feedback/voting/fb_1',
    });
    const panel = within(await screen.findByRole('complementary'));
    expect(
      await panel.findByRole('link', { name: 'A darker theme' }),
    ).toHaveAttribute('href', '/feedback/voting/fb_2');
  });

  it('names the other entry of a duplicate by its title, in the history too', async () => {
    const merged = feedback({
      mergedInto: 'fb_2',
      mergedTitle: 'A darker theme',
      status: 'archived',
      history: [
        {
          at: '2026-11-20T09:00:00Z',
          actor: 'user:default/ada',
          from: 'new',
          to: 'archived',
          notes: 'Merged into fb_2',
        },
      ],
    });
    renderPlugin({
      api: new FakeFeedbackApi([merged, darker]),
      path: '/feedback/triage/fb_1',
    });
    expect(
      await screen.findByRole('link', { name: 'A darker theme' }),
    ).toHaveAttribute('href', '/feedback/voting/fb_2');
    expect(await screen.findByText('Merged into A darker theme')).toBeVisible();
  });
});

describe('triage', () => {
  const region = () => screen.getByRole('region', { name: 'Voting' });
  const openSection = async (api: FakeFeedbackApi) => {
    const { user } = renderPlugin({ api, path: '/feedback/triage/fb_1' });
    const section = await screen.findByRole('region', { name: 'Voting' });
    return { user, section: within(section) };
  };

  it('opens feedback for voting under a title for everyone, and closes it', async () => {
    const api = new FakeFeedbackApi([feedback()]);
    const { user, section } = await openSection(api);
    const open = section.getByRole('button', { name: 'Open for voting' });
    await user.click(open);
    expect(await section.findByText(/Write a title/)).toBeVisible();
    const field = section.getByRole('textbox', { name: 'Title' });
    await waitFor(() => expect(field).toHaveFocus());
    expect(field).toHaveAccessibleDescription(/The message and the sender/);
    await user.type(field, ' A faster search ');
    await user.click(open);
    const close = await section.findByRole('button', {
      name: 'Close for voting',
    });
    await waitFor(() =>
      expect(section.getByRole('button', { name: 'Save title' })).toHaveFocus(),
    );
    await waitFor(() =>
      expect(section.getByRole('status')).toHaveTextContent('Saved'),
    );
    await user.click(close);
    expect(api.records[0].voting).toEqual({
      title: 'A faster search',
      isOpen: true,
    });
    const dialog = within(await screen.findByRole('dialog'));
    await user.click(dialog.getByRole('button', { name: 'Close for voting' }));
    const reopen = await section.findByRole('button', {
      name: 'Reopen for voting',
    });
    expect(reopen).toBeVisible();
    // The button that had the focus is gone.
    await waitFor(() => expect(region()).toHaveFocus());
    expect(api.records[0].voting?.isOpen).toBe(false);
  });

  it('tells that nobody can vote for what is resolved, which can be closed', async () => {
    const api = new FakeFeedbackApi([{ ...faster, status: 'resolved' }]);
    const { section } = await openSection(api);
    expect(
      await section.findByText(/neither resolved nor archived/),
    ).toBeVisible();
    expect(
      section.getByRole('button', { name: 'Close for voting' }),
    ).toBeVisible();
  });

  it('adds a public note, which users read next to the title', async () => {
    const api = new FakeFeedbackApi([faster]);
    const { user, section } = await openSection(api);
    const open = vi.spyOn(api, 'openVoting');
    const field = section.getByRole('textbox', { name: 'Public note' });
    expect(field).toHaveAccessibleDescription(/voters are notified/);
    const save = section.getByRole('button', { name: 'Save public note' });
    await user.type(field, ' May ');
    await user.click(save);
    await waitFor(() => expect(field).toHaveValue('May'));
    await waitFor(() => expect(save).toHaveFocus());
    expect(await section.findByText('Saved')).toBeVisible();
    expect(api.records[0].voting).toMatchObject({
      title: 'A faster search',
      note: { text: 'May' },
    });
    // Opening would reopen feedback that someone has closed in the meantime.
    expect(open).not.toHaveBeenCalled();
    await user.type(field, ' or June');
    expect(section.queryByText('Saved')).toBeNull();
    await user.click(screen.getByRole('link', { name: '2 votes' }));
    const note = await screen.findByRole('region', { name: 'Public note' });
    expect(note).toHaveTextContent('May');
  });

  it('keeps a public note that is being written while another admin closes voting', async () => {
    const api = new FakeFeedbackApi([faster]);
    const { user, section } = await openSection(api);
    const field = section.getByRole('textbox', { name: 'Public note' });
    await user.type(field, 'In May');
    await api.closeVoting('fb_1');
    vi.spyOn(api, 'setPublicNote').mockRejectedValueOnce(new Error('Closed'));
    await user.click(section.getByRole('button', { name: 'Save public note' }));
    expect(await section.findByText(/^Voting has been closed/)).toBeVisible();
    const save = section.getByRole('button', { name: 'Save public note' });
    expect(save).toBeDisabled();
    expect(field).toHaveFocus();
    await user.click(section.getByRole('button', { name: /^Reopen/ }));
    await waitFor(() => expect(save).toBeEnabled());
    await user.click(save);
    await waitFor(() =>
      expect(api.records[0].voting?.note?.text).toBe('In May'),
    );
    const close = { name: 'Close for voting' };
    await user.click(section.getByRole('button', close));
    const dialog = within(await screen.findByRole('dialog'));
    await user.click(dialog.getByRole('button', close));
    // The form can disappear, because the note is saved.
    await waitFor(() => expect(field).not.toBeInTheDocument());
  });

  it('keeps the title that another admin has changed', async () => {
    const api = new FakeFeedbackApi([faster]);
    const { user, section } = await openSection(api);
    await api.openVoting('fb_1', 'A much faster search');
    const note = section.getByRole('textbox', { name: 'Public note' });
    await user.type(note, 'In May');
    await user.click(section.getByRole('button', { name: 'Save public note' }));
    const title = section.getByRole('textbox', { name: 'Title' });
    await waitFor(() => expect(title).toHaveValue('A much faster search'));
    await user.click(section.getByRole('button', { name: 'Save title' }));
    await waitFor(() =>
      expect(api.records[0].voting?.title).toBe('A much faster search'),
    );
  });

  it('shows the note that another admin wrote while voting was closed', async () => {
    const api = new FakeFeedbackApi([
      feedback({ voting: { title: 'A faster search', isOpen: false } }),
    ]);
    const { user, section } = await openSection(api);
    await api.setPublicNote('fb_1', { text: 'In May', seen: '' });
    await user.click(section.getByRole('button', { name: /^Reopen/ }));
    const name = { name: 'Public note' };
    expect(await section.findByRole('textbox', name)).toHaveValue('In May');
  });

  it('shows the note that another admin wrote in the meantime before it is replaced', async () => {
    const api = new FakeFeedbackApi([faster]);
    const { user, section } = await openSection(api);
    const field = section.getByRole('textbox', { name: 'Public note' });
    const save = section.getByRole('button', { name: 'Save public note' });
    await user.type(field, 'In June');
    await api.setPublicNote('fb_1', { text: 'In May', seen: '' });
    await user.click(save);
    expect(
      await section.findByText(/changed the note to “In May”/),
    ).toBeVisible();
    expect(field).toHaveValue('In June');
    expect(api.records[0].voting?.note?.text).toBe('In May');
    await user.click(save);
    await waitFor(() =>
      expect(api.records[0].voting?.note?.text).toBe('In June'),
    );
    expect(section.queryByText(/changed the note/)).toBeNull();
    await user.type(field, ' or July');
    await api.setPublicNote('fb_1', { text: '', seen: 'In June' });
    await user.click(save);
    await section.findByText(/removed the note/);
    await user.click(section.getByRole('button', { name: 'Discard mine' }));
    expect(field).toHaveValue('');
    expect(field).toHaveFocus();
    expect(section.queryByText(/removed the note/)).toBeNull();
    expect(section.queryByText("Couldn't save the public note")).toBeNull();
  });

  it('keeps what is written while a public note is being saved', async () => {
    const api = new FakeFeedbackApi([faster]);
    const { user, section } = await openSection(api);
    let endSaving = () => {};
    vi.spyOn(api, 'setPublicNote').mockReturnValueOnce(
      new Promise(resolve => {
        endSaving = resolve;
      }),
    );
    const field = section.getByRole('textbox', { name: 'Public note' });
    await user.type(field, 'In May');
    await user.click(section.getByRole('button', { name: 'Save public note' }));
    await user.type(field, ' or June');
    const progress = () => section.queryByRole('progressbar');
    expect(progress()).toBeInTheDocument();
    endSaving();
    await waitFor(() => expect(progress()).not.toBeInTheDocument());
    expect(field).toHaveValue('In May or June');
  });

  it('says how to save a public note of what has been merged', async () => {
    const api = new FakeFeedbackApi([faster, darker]);
    const { user, section } = await openSection(api);
    const field = section.getByRole('textbox', { name: 'Public note' });
    await user.type(field, 'In May');
    await api.merge('fb_1', { into: 'fb_2' });
    vi.spyOn(api, 'setPublicNote').mockRejectedValueOnce(new Error('Merged'));
    await user.click(section.getByRole('button', { name: 'Save public note' }));
    expect(
      await section.findByText(/^This entry is a duplicate now/),
    ).toBeVisible();
    expect(field).toHaveValue('In May');
  });

  it('shows who voted', async () => {
    const api = new FakeFeedbackApi([faster]);
    api.voters = [
      { user: 'user:default/grace', votedAt: '2026-11-20T12:00:00.000Z' },
    ];
    const { section } = await openSection(api);
    const voters = await section.findByRole('list', { name: 'Voters' });
    expect(voters).toHaveTextContent(/^grace/);
  });

  it('merges a duplicate after a question', async () => {
    const api = new FakeFeedbackApi([feedback({ replyCount: 1 }), darker]);
    const { user, section } = await openSection(api);
    const merge = await section.findByRole('button', { name: 'Merge' });
    expect(merge).toBeDisabled();
    await user.click(section.getByRole('button', { name: /duplicate into/ }));
    await user.click(
      await screen.findByRole('option', { name: 'A darker theme' }),
    );
    await user.click(merge);
    const dialog = await screen.findByRole('dialog', {
      name: 'Merge this feedback?',
    });
    expect(dialog).toHaveTextContent('voters become voters for A darker theme');
    const sent = vi.spyOn(api, 'merge');
    await user.click(within(dialog).getByRole('button', { name: 'Merge' }));
    await waitFor(() =>
      expect(sent).toHaveBeenCalledWith('fb_1', {
        into: 'fb_2',
        replyCount: 1,
      }),
    );
    const link = await section.findByRole('link', { name: 'View in triage' });
    expect(link).toHaveAttribute('href', '/feedback/triage/fb_2');
    await waitFor(() => expect(region()).toHaveFocus());
    expect(api.records[0].mergedInto).toBe('fb_2');
  });

  it('searches all entries that are open for voting for one to merge into', async () => {
    const many = Array.from({ length: 30 }, (_, index) =>
      feedback({
        id: `fb_many_${index}`,
        voting: { title: `Wish number ${index}`, isOpen: true },
      }),
    );
    const api = new FakeFeedbackApi([feedback(), ...many, darker]);
    const { user, section } = await openSection(api);
    await user.click(
      await section.findByRole('button', { name: /duplicate into/ }),
    );
    await screen.findByRole('option', { name: 'Wish number 0' });
    expect(screen.queryByRole('option', { name: 'A darker theme' })).toBeNull();
    await user.type(
      screen.getByRole('searchbox', { name: 'Search titles' }),
      'darker',
    );
    await user.click(
      await screen.findByRole('option', { name: 'A darker theme' }),
    );
    const merge = section.getByRole('button', { name: 'Merge' });
    await waitFor(() => expect(merge).toBeEnabled());
    expect(
      section.getByRole('button', { name: /duplicate into/ }),
    ).toHaveTextContent('A darker theme');
  });

  it('keeps the chosen entry to merge into when a search fails', async () => {
    const api = new FakeFeedbackApi([feedback(), darker]);
    const { user, section } = await openSection(api);
    await user.click(
      await section.findByRole('button', { name: /duplicate into/ }),
    );
    await user.click(
      await screen.findByRole('option', { name: 'A darker theme' }),
    );
    vi.spyOn(api, 'listBallots').mockRejectedValue(new Error('Gone'));
    const choose = section.getByRole('button', { name: /duplicate into/ });
    await user.click(choose);
    const search = screen.getByRole('searchbox', { name: 'Search titles' });
    await user.type(search, 'faster');
    expect(
      await screen.findByText("Couldn't load what is open for voting"),
    ).toBeInTheDocument();
    expect(search).toHaveFocus();
    await user.keyboard('{Escape}{Escape}');
    await waitFor(() => expect(choose).toHaveFocus());
    expect(choose).toHaveTextContent('A darker theme');
  });

  it('undoes merging after confirmation', async () => {
    const merged = { ...faster, mergedInto: 'fb_2' } as const;
    const api = new FakeFeedbackApi([
      { ...merged, status: 'archived' },
      darker,
    ]);
    const { user, section } = await openSection(api);
    await user.click(
      await section.findByRole('button', { name: 'Undo merging' }),
    );
    const dialog = await screen.findByRole('dialog', {
      name: 'Undo merging this feedback?',
    });
    await user.click(
      within(dialog).getByRole('button', { name: 'Undo merging' }),
    );
    expect(
      await section.findByRole('button', { name: 'Close for voting' }),
    ).toBeVisible();
    expect(api.records[0].mergedInto).toBeNull();
    // The button that had the focus is gone.
    await waitFor(() => expect(region()).toHaveFocus());
  });

  it('sorts by votes, and filters by what is open for voting', async () => {
    const api = new FakeFeedbackApi([faster]);
    const { user, address } = renderPlugin({ api, path: '/feedback/triage' });
    expect(await screen.findByRole('img', { name: '2 votes' })).toBeVisible();
    await user.click(screen.getByRole('button', { name: /Order/ }));
    await user.click(
      await screen.findByRole('option', { name: 'Most votes first' }),
    );
    await user.click(screen.getByRole('button', { name: /Voting/ }));
    await user.click(
      await screen.findByRole('option', { name: 'Open for voting' }),
    );
    await waitFor(() =>
      expect(address()).toBe('/feedback/triage?sort=votes&voting=open'),
    );
    await waitFor(() =>
      expect(api.queries.at(-1)?.filter).toMatchObject({
        sort: 'votes',
        voting: 'open',
      }),
    );
  });

  it('changes the status as of the replies that were seen', async () => {
    const api = new FakeFeedbackApi([feedback({ replyCount: 2 })]);
    const change = vi.spyOn(api, 'changeStatus');
    const { user } = renderPlugin({ api, path: '/feedback/triage/fb_1' });
    await user.click(
      await screen.findByRole('button', { name: 'Change status' }),
    );
    await waitFor(() =>
      expect(change).toHaveBeenCalledWith('fb_1', {
        status: 'validated',
        notes: '',
        replyCount: 2,
      }),
    );
  });
});
