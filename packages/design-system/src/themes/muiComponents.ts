/**
 * Overrides that make the Material UI parts of stock Backstage pages look like `@backstage/ui`.
 * Colours are our CSS variables, so both modes share one set. Numbers without a unit are pixels.
 */
export const muiComponents = {
  MuiCssBaseline: {
    styleOverrides: {
      html: { height: '100%' },
      body: { height: '100%', fontSize: '0.875rem', lineHeight: 1.43 },
      a: { color: 'inherit', textDecoration: 'none' },
    },
  },
  MuiPaper: {
    defaultProps: { elevation: 0 },
    styleOverrides: {
      root: { backgroundImage: 'none' },
      rounded: { borderRadius: 'var(--slipway-radius-card)' },
      elevation0: { boxShadow: 'none' },
      elevation1: {
        boxShadow: 'none',
        border: '1px solid var(--slipway-line)',
      },
      elevation2: {
        boxShadow: 'none',
        border: '1px solid var(--slipway-line)',
      },
    },
  },
  MuiPopover: {
    styleOverrides: {
      paper: {
        border: '1px solid var(--slipway-line)',
        boxShadow: 'var(--slipway-shadow)',
        backgroundColor: 'var(--slipway-raised)',
      },
    },
  },
  MuiCard: {
    styleOverrides: {
      root: {
        display: 'flex',
        flexDirection: 'column',
        border: '1px solid var(--slipway-line)',
        boxShadow: 'none',
      },
    },
  },
  MuiCardHeader: {
    styleOverrides: {
      root: { paddingBottom: 0 },
      title: { fontSize: '0.875rem', fontWeight: 600 },
    },
  },
  MuiButton: {
    styleOverrides: {
      root: {
        textTransform: 'none',
        borderRadius: 'var(--slipway-radius-control)',
        fontWeight: 600,
        letterSpacing: 0,
      },
      contained: { boxShadow: 'none', '&:hover': { boxShadow: 'none' } },
      outlined: { borderColor: 'var(--slipway-control)' },
    },
  },
  MuiChip: {
    styleOverrides: {
      root: {
        marginRight: 8,
        marginBottom: 8,
        borderRadius: 'var(--slipway-radius-control)',
        backgroundColor: 'var(--slipway-pressed)',
      },
      label: { fontSize: '0.75rem', fontWeight: 500 },
    },
  },
  MuiOutlinedInput: {
    styleOverrides: {
      root: { borderRadius: 'var(--slipway-radius-control)' },
      notchedOutline: { borderColor: 'var(--slipway-control)' },
    },
  },
  MuiTab: {
    styleOverrides: {
      root: {
        minHeight: 40,
        minWidth: 0,
        padding: '8px 12px',
        textTransform: 'none',
        letterSpacing: 0,
        fontWeight: 500,
        color: 'var(--slipway-muted)',
        '&:hover': { color: 'var(--slipway-text)' },
      },
    },
  },
  MuiTabs: {
    styleOverrides: {
      root: { minHeight: 40 },
      indicator: { backgroundColor: 'var(--slipway-accent)' },
    },
  },
  MuiTableRow: {
    styleOverrides: {
      root: { '&:hover': { backgroundColor: 'var(--slipway-hover)' } },
      head: { '&:hover': { backgroundColor: 'transparent' } },
    },
  },
  MuiTableCell: {
    styleOverrides: {
      root: {
        padding: '10px 12px',
        lineHeight: 1.35,
        verticalAlign: 'middle',
        // Not `word-break: break-word`: it makes columns as narrow as a single letter.
        overflowWrap: 'break-word',
        wordBreak: 'normal',
        borderBottom: '1px solid var(--slipway-line)',
      },
      head: {
        fontSize: '0.75rem',
        fontWeight: 600,
        color: 'var(--slipway-muted)',
        backgroundColor: 'transparent',
      },
      sizeSmall: { padding: '6px 12px' },
    },
  },
  MuiTooltip: {
    styleOverrides: {
      tooltip: {
        fontSize: '0.75rem',
        color: 'var(--slipway-surface)',
        backgroundColor: 'var(--slipway-text)',
      },
    },
  },
  // Text in table cells, such as the description in the catalog: the stock style shows one line, in
  // a column as narrow as its longest word. The full text is in the tooltip, and in the row while
  // it has the focus.
  BackstageOverflowTooltip: {
    styleOverrides: {
      typo: {
        '-webkit-line-clamp': 2,
        'td &': { minWidth: 200 },
        'tr:focus-within &': { '-webkit-line-clamp': 'none' },
      },
    },
  },
  BackstageHeader: {
    styleOverrides: {
      header: {
        boxShadow: 'none',
        backgroundImage: 'none',
        padding: '20px 24px 12px',
      },
      title: {
        fontSize: '1.5rem',
        fontWeight: 600,
        color: 'var(--slipway-text)',
      },
      subtitle: { opacity: 1, marginTop: 4, color: 'var(--slipway-muted)' },
      type: { textTransform: 'none', opacity: 1, fontSize: '0.75rem' },
    },
  },
  BackstageHeaderTabs: {
    styleOverrides: {
      tabsWrapper: {
        paddingLeft: 12,
        backgroundColor: 'transparent',
        borderBottom: '1px solid var(--slipway-line)',
      },
      defaultTab: {
        padding: '8px 12px',
        textTransform: 'none',
        letterSpacing: 0,
        fontSize: '0.875rem',
        fontWeight: 500,
        color: 'var(--slipway-muted)',
      },
      selected: { color: 'var(--slipway-text)' },
    },
  },
  BackstageTableHeader: {
    styleOverrides: {
      header: {
        padding: '8px 12px',
        borderTop: 'none',
        borderBottom: '1px solid var(--slipway-line)',
        color: 'var(--slipway-muted)',
        fontSize: '0.75rem',
        textTransform: 'none',
      },
    },
  },
  // On a phone, the search field is below the title, not on top of it.
  BackstageTableToolbar: {
    styleOverrides: {
      root: { '@media (max-width: 640px)': { flexWrap: 'wrap', padding: 16 } },
      title: { '@media (max-width: 640px)': { flexBasis: '100%' } },
    },
  },
  PluginCatalogTableToolbar: {
    styleOverrides: {
      root: { '@media (max-width: 640px)': { flexWrap: 'wrap', padding: 16 } },
      text: { '@media (max-width: 640px)': { flexBasis: '100%' } },
    },
  },
  CatalogReactUserListPicker: {
    styleOverrides: {
      root: {
        margin: '8px 0',
        backgroundColor: 'transparent',
        border: 'none',
      },
      title: {
        margin: '8px 0 4px',
        fontSize: '0.75rem',
        fontWeight: 600,
        textTransform: 'none',
      },
      groupWrapper: { margin: '0 0 12px' },
      menuItem: { minHeight: 40 },
    },
  },
  MuiListItem: {
    styleOverrides: {
      root: {
        '&.Mui-disabled': { opacity: 1, color: 'var(--slipway-muted)' },
      },
    },
  },
  MuiTypography: {
    styleOverrides: { body1: { fontSize: '0.875rem' } },
  },
  MuiInputBase: {
    styleOverrides: { root: { fontSize: '0.875rem' } },
  },
  MuiToggleButton: {
    styleOverrides: {
      root: {
        textTransform: 'none',
        color: 'var(--slipway-muted)',
        '&.Mui-selected': { color: 'var(--slipway-text)' },
      },
    },
  },
  BackstageInfoCard: {
    styleOverrides: { header: { padding: '10px 16px', minHeight: 48 } },
  },
  BackstageSidebarPage: {
    styleOverrides: { root: { minHeight: '100%' } },
  },
};
