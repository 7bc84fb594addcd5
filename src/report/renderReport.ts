import { renderHtml } from './html/renderHtml.js';
import { renderMarkdown } from './markdown/renderMarkdown.js';
import type { Report } from './report.js';

export const reportFormats = ['html', 'md', 'json'] as const;

export type ReportFormat = (typeof reportFormats)[number];

/** The report as text that ends with a line feed; the same report gives the same bytes. */
export function renderReport(report: Report, format: ReportFormat): string {
  switch (format) {
    case 'html':
      return renderHtml(report);
    case 'md':
      return renderMarkdown(report);
    case 'json':
      return `${JSON.stringify(report, null, 2)}\n`;
  }
}
