// Redoc's theme in the colours of the house, light and dark. Redoc wants plain colours: it computes shades from them.
import type { ColourScheme } from './colour-scheme.ts';

interface Palette {
  paper: string;
  surface: string;
  sunken: string;
  ink: string;
  muted: string;
  line: string;
  accent: string;
  ok: string;
  warn: string;
  bad: string;
  /** Samples stand on a dark panel in both schemes, since Redoc's syntax colours are made for one. */
  panel: string;
}

const palettes: Record<ColourScheme, Palette> = {
  light: {
    paper: '#f6f5f1',
    surface: '#ffffff',
    sunken: '#efeee8',
    ink: '#1b1c19',
    muted: '#595b54',
    line: '#dcdad2',
    accent: '#2a45c6',
    ok: '#1d6a3a',
    warn: '#855000',
    bad: '#b0211e',
    panel: '#22231f',
  },
  dark: {
    paper: '#121311',
    surface: '#191a18',
    sunken: '#242522',
    ink: '#ebeae4',
    muted: '#a6a79e',
    line: '#353631',
    accent: '#a5b4ff',
    ok: '#83cf9a',
    warn: '#e8b662',
    bad: '#ff968d',
    panel: '#121311',
  },
};

const sans = '-apple-system, BlinkMacSystemFont, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", Arial, sans-serif';
const mono = 'ui-monospace, "SF Mono", SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace';

/** The theme object for Redoc's `theme` option. */
export function referenceTheme(scheme: ColourScheme): object {
  const c = palettes[scheme];
  return {
    colors: {
      primary: { main: c.accent },
      success: { main: c.ok },
      warning: { main: c.warn },
      error: { main: c.bad },
      gray: { 50: c.paper, 100: c.sunken },
      text: { primary: c.ink, secondary: c.muted },
      border: { dark: c.line, light: c.surface },
      responses: {
        success: { tabTextColor: '#83cf9a' },
        error: { tabTextColor: '#ff968d' },
        redirect: { tabTextColor: '#e8b662' },
        info: { color: c.accent, tabTextColor: '#a5b4ff' },
      },
    },
    schema: { linesColor: c.line, nestedBackground: c.paper, typeNameColor: c.muted, requireLabelColor: c.bad },
    typography: {
      fontSize: '15px',
      fontFamily: sans,
      headings: { fontFamily: sans, fontWeight: '600' },
      code: { fontSize: '14px', fontFamily: mono, color: c.ink, backgroundColor: c.sunken, wrap: true },
      links: { color: c.accent, visited: c.accent, hover: c.ink },
    },
    sidebar: {
      backgroundColor: c.paper,
      textColor: c.ink,
      activeTextColor: c.accent,
      groupItems: { activeBackgroundColor: c.sunken },
      level1Items: { activeBackgroundColor: c.sunken },
    },
    rightPanel: {
      backgroundColor: c.panel,
      textColor: '#ebeae4',
      servers: {
        overlay: { backgroundColor: c.paper, textColor: c.ink },
        url: { backgroundColor: c.surface },
      },
    },
    codeBlock: { backgroundColor: '#191a18' },
    fab: { backgroundColor: c.paper, color: c.accent },
  };
}
