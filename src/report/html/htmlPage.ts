import { sha256 } from '../../commitment/sha256.js';
import { Markup, markup } from '../markup/markup.js';

export interface HtmlPage {
  readonly title: string;
  /** Program and version. */
  readonly generator: string;
  /** The one style sheet, from the program, never from data. */
  readonly style: string;
  readonly main: Markup;
  readonly footer: Markup;
}

/**
 * An HTML page that stands alone: no script, no font, no request of any kind, and a content security policy that allows
 * nothing but the page's own style.
 */
export function htmlPage({ title, generator, style, main, footer }: HtmlPage): string {
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${contentSecurityPolicy(style)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="${generator}">
<title>${title}</title>
<style>${new Markup(style)}</style>
</head>
<body>
<main>
${main}</main>
<footer><p>${footer}</p></footer>
</body>
</html>
`.text;
}

/** Only the style with this digest may apply, and nothing may be loaded, run, framed or sent. */
function contentSecurityPolicy(style: string): string {
  return [
    "default-src 'none'",
    `style-src 'sha256-${sha256(style).toString('base64')}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}
