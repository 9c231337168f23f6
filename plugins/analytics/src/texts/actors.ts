/** Texts about the users behind a number of an insight. */
export const actorTexts = {
  actors: {
    /** Links in charts and tables. */
    show: 'Show users',
    showNamed: 'Show users: {{name}}',
    reachedNamed: '{{users}}, show who reached {{name}}',
    droppedNamed: '{{users}}, show who dropped off before {{name}}',
    startedNamed: '{{shown}}, show who started {{date}}',
    returnedNamed:
      '{{shown}}, show who started {{date}} and returned, {{period}}',
    movedNamed: '{{visits}}, show who went from {{from}} to {{to}}',
    droppedOff: 'Dropped off',
    /** Titles of the panel. */
    reached: 'Reached step {{step}}, {{name}}',
    dropped: 'Dropped off before step {{step}}, {{name}}',
    started: 'Started {{date}}',
    startedAny: 'Started',
    returned: '{{start}}, returned: {{period}}',
    previous: '{{name}}, previous period',
    lifecycle: {
      new: '{{name}}: new users',
      returning: '{{name}}: returning users',
      resurrecting: '{{name}}: resurrecting users',
      dormant: '{{name}}: dormant users',
    },
    activeIn: {
      hour_one: '{{name}}: active in {{count, number}} hour',
      hour_other: '{{name}}: active in {{count, number}} hours',
      day_one: '{{name}}: active on {{count, number}} day',
      day_other: '{{name}}: active on {{count, number}} days',
      week_one: '{{name}}: active in {{count, number}} week',
      week_other: '{{name}}: active in {{count, number}} weeks',
      month_one: '{{name}}: active in {{count, number}} month',
      month_other: '{{name}}: active in {{count, number}} months',
    },
    orMore: '{{name}} or more',
    moved: 'From {{from}} to {{to}}, step {{step}}',
    search: 'Search names and IDs',
    id: 'ID',
    email: 'Email',
    events: 'Events',
    distinct:
      'The chart does not count users here: these are the different users of the events.',
    distinctOfVisits:
      'The table counts visits: these are the different users who made them.',
    loading: 'Loading users',
    failed: "Couldn't load users",
    none: 'No matching users.',
    emptyTitle: 'No users',
    emptyDescription: 'The number does not count any users now.',
    pages: 'Pages of users',
    noProfile: 'Without a profile: this user only has events',
    exportAll: 'Export CSV',
    exportFailed: "Couldn't export the users",
    exported: 'The file contains the first {{most}} users.',
  },
} as const;
