/**
 * The page's style. Conditions have one colour each, everywhere: PIT blue, Future and what it adds vermilion (Okabe and
 * Ito's palette, told apart under the usual colour blindnesses; shapes tell them apart without colour). Stateless is the
 * zero line.
 */
export const pageStyle = `
:root{color-scheme:light dark;--paper:#fff;--ink:#16181d;--muted:#5a606b;--faint:#9aa0aa;--rule:#e2e4e8;--grid:#eceef1;--wash:#f6f7f8;--pit:#0072b2;--future:#d55e00;--alarm:#a8071a}
@media (prefers-color-scheme:dark){:root{--paper:#14161a;--ink:#e8eaed;--muted:#a3a9b4;--faint:#717783;--rule:#2f333b;--grid:#24272e;--wash:#1c1f25;--pit:#56b4e9;--future:#ff9248;--alarm:#ff7a85}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.55 Inter,system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;font-variant-numeric:tabular-nums}
main,footer{max-width:1104px;margin:0 auto;padding:0 24px}
header{padding:56px 0 20px}
h1{font-size:32px;line-height:1.2;font-weight:650;letter-spacing:-.015em;margin:0;overflow-wrap:anywhere}
h2{font-size:20px;line-height:1.3;font-weight:650;letter-spacing:-.01em;margin:0 0 8px}
h3{font-size:16px;font-weight:650;margin:32px 0 4px}
p{margin:0 0 10px;max-width:74ch;overflow-wrap:break-word}
section{padding:36px 0 0}
section.summary{padding-top:0}
section+section:not(.summary){margin-top:44px;border-top:1px solid var(--rule)}
.kind{font-size:13px;color:var(--muted);margin-bottom:6px}
.meta,.note,.beside span,caption{color:var(--muted)}
.meta{margin:10px 0 0;font-size:13.5px}
.contract{margin:22px 0 8px;padding:10px 14px;max-width:none;background:var(--wash);border-left:3px solid var(--ink)}
.contract strong{margin-right:8px}
.contract.fails,.contract.not-audited{border-left-color:var(--alarm)}
.contract.fails strong,.contract.not-audited strong,.outcome.violated{color:var(--alarm)}
.outcome.violated{font-weight:650}
.findings article{display:grid;grid-template-columns:210px 1fr;gap:4px 28px;padding:18px 0 8px;border-bottom:1px solid var(--rule)}
.findings article:last-child{border-bottom:0}
.findings h2{font-size:15px;font-weight:500;letter-spacing:0;margin:0;overflow-wrap:anywhere}
.decision{font-size:19px;line-height:1.3;font-weight:650;letter-spacing:-.01em;margin:2px 0 0}
.tag{display:inline-block;vertical-align:1px;font-size:11px;line-height:1.35;font-weight:500;letter-spacing:.01em;color:var(--ink);border:1px solid var(--faint);border-radius:3px;padding:0 5px;white-space:nowrap}
nav{padding:14px 0 0;font-size:13.5px}
nav ul{list-style:none;margin:0;padding:0;display:flex;flex-wrap:wrap;gap:4px 18px}
a{color:inherit;text-decoration-color:var(--faint);text-underline-offset:3px}
figure{margin:20px 0 8px}
.scroll{overflow-x:auto;margin:0 0 18px}
.scroll:focus-visible,a:focus-visible,summary:focus-visible{outline:2px solid var(--pit);outline-offset:3px}
.chart{display:block;max-width:none;height:auto}
.chart text{fill:var(--ink)}
.chart .muted{fill:var(--muted)}
.chart .heading{font-weight:650}
.chart .grid{stroke:var(--grid)}
.chart .rule{stroke:var(--rule)}
.chart .zero{stroke:var(--faint)}
.chart path{fill:none}
.chart .interval{stroke-width:1.5}
.chart .line{stroke-width:1.75}
.chart .pattern-1{stroke-dasharray:6 3}
.chart .pattern-2{stroke-dasharray:2 3}
.chart .pattern-3{stroke-dasharray:9 3 2 3}
.chart .pit{stroke:var(--pit)}
.chart .future{stroke:var(--future)}
.chart .mark.pit{fill:var(--pit)}
.chart .mark.future{fill:var(--future)}
.chart .mark.hollow{fill:var(--paper);stroke-width:1.75}
.chart tspan.tag{font-weight:400;fill:var(--muted)}
table{border-collapse:collapse;font-size:13px;line-height:1.4;min-width:60%}
caption{caption-side:top;text-align:left;padding:6px 0 8px;font-size:13px}
th,td{padding:5px 15px 5px 0;text-align:left;vertical-align:top;font-weight:400;border-bottom:1px solid var(--rule)}
th:last-child,td:last-child{padding-right:0}
thead th{color:var(--muted);font-size:12px;vertical-align:bottom;border-bottom-color:var(--faint)}
td.number,th.number{text-align:right;white-space:nowrap}
td.unbroken{white-space:nowrap}
thead th.number{white-space:normal;min-width:64px}
tbody th{white-space:nowrap}
tbody th.prose{white-space:normal;min-width:260px;max-width:480px;overflow-wrap:anywhere}
.again{color:var(--faint)}
.below{display:block;color:var(--muted);font-size:12px}
.reason{color:var(--muted)}

code,pre{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:12px}
td code{white-space:nowrap}
pre{background:var(--wash);padding:14px 16px;overflow-x:auto;line-height:1.5;margin:0 0 18px}
details{border-top:1px solid var(--rule);padding:10px 0}
summary{cursor:pointer;font-weight:650;font-size:14px}
footer{color:var(--muted);font-size:13px;padding-top:36px;padding-bottom:56px}
@media (max-width:720px){main,footer{padding-left:16px;padding-right:16px}header{padding-top:32px}.findings article{grid-template-columns:1fr}}
@page{margin:14mm}
@media print{:root{color-scheme:light;--paper:#fff;--ink:#000;--muted:#444;--faint:#888;--rule:#ccc;--grid:#e4e4e4;--wash:#fff;--pit:#0072b2;--future:#d55e00;--alarm:#a8071a}
body{font-size:10pt}main,footer{max-width:none;padding:0}header{padding-top:0}nav{display:none}
.scroll{overflow:visible}.chart{width:100%;height:auto}table{font-size:6.8pt;width:100%}thead th,caption,.below{font-size:6.8pt}th,td{padding:3px 7px 3px 0}thead th.number{min-width:0}td code,tbody th{white-space:normal;overflow-wrap:anywhere}td code{font-size:6pt}table .tag{font-size:5.6pt;border-width:.5pt}section>p{break-after:avoid}pre{white-space:pre-wrap;border:1px solid var(--rule)}
figure,tr,article{break-inside:avoid}h2,caption{break-after:avoid}
details::details-content{content-visibility:visible;block-size:auto}
*{-webkit-print-color-adjust:exact;print-color-adjust:exact}}
`;
