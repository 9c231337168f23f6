import { chatPayload } from './chatPayload.ts';

const message = {
  text: '<!channel> & @all\n*bold* [x](http://evil)',
  details: ['a <b>', 'c\u0000d'],
  link: { title: 'View <flag>', url: 'http://portal/flags?a=1&b=x|y' },
};

describe('a message to a chat', () => {
  it("is blocks for Slack, without mentions or links but the message's own", () => {
    expect(chatPayload('slack', message)).toEqual({
      text: '&lt;!channel&gt; &amp; @all *bold* [x](http://evil)\nhttp://portal/flags?a=1&amp;b=x|y',
      blocks: [
        '&lt;!channel&gt; &amp; @all *bold* [x](http://evil)',
        '• a &lt;b&gt;\n• c d',
        '<http://portal/flags?a=1&amp;b=x%7Cy|View &lt;flag&gt;>',
      ].map(text => ({
        type: 'section',
        text: { type: 'mrkdwn', text, verbatim: true },
      })),
    });
  });

  it('is Markdown for Mattermost, without mentions, links and images', () => {
    expect(chatPayload('mattermost', message)).toEqual({
      text: [
        '< channel> & @\u200ball *bold*  x (http://evil)',
        '- a <b>',
        '- c d',
        'http://portal/flags?a=1&b=x|y',
      ].join('\n'),
    });
  });

  it('is an Adaptive Card for Teams, in text runs, which have no Markdown', () => {
    expect(chatPayload('teams', message)).toEqual({
      type: 'message',
      attachments: [
        {
          contentType: 'application/vnd.microsoft.card.adaptive',
          contentUrl: null,
          content: expect.objectContaining({
            type: 'AdaptiveCard',
            version: '1.4',
            body: [
              {
                type: 'RichTextBlock',
                inlines: [
                  {
                    type: 'TextRun',
                    text: '<!channel> & @all *bold* [x](http://evil)',
                    weight: 'Bolder',
                  },
                ],
              },
              ...['• a <b>', '• c d'].map(text => ({
                type: 'RichTextBlock',
                inlines: [{ type: 'TextRun', text }],
                spacing: 'Small',
              })),
            ],
            actions: [
              {
                type: 'Action.OpenUrl',
                title: 'View <flag>',
                url: 'http://portal/flags?a=1&b=x|y',
              },
            ],
          }),
        },
      ],
    });
  });

  it('is never cut within a character', () => {
    const text = `${'x'.repeat(498)}😀😀`;
    const sent = JSON.stringify(chatPayload('teams', { ...message, text }));
    expect(sent).not.toContain('\\ud');
  });

  it('stays within the limits of every chat', () => {
    const details = Array.from({ length: 50 }, () => '&'.repeat(400));
    const long = { ...message, text: '&'.repeat(5_000), details };
    const { text, blocks } = chatPayload('slack', long) as {
      text: string;
      blocks: { text: { text: string } }[];
    };
    expect(text).toContain(`${'&amp;'.repeat(3)}…\n`);
    expect(blocks.every(each => each.text.text.length <= 3_000)).toBe(true);
    // The message size limit of Teams.
    expect(JSON.stringify(chatPayload('teams', long)).length).toBeLessThan(
      28_000,
    );
  });
});
