/**
 * Ways to ask for the newest about a product, `@`. Those of the validation half were written down at the same time and are
 * used for it alone, so that it asks of other products in other words.
 */
export const wordings = {
  design: [
    '@',
    '@ vulnerability',
    'latest @ vulnerabilities',
    'recent security issues in @',
    'new @ security flaws last week',
    'what are the newest bugs in @',
    'most recent problems affecting @',
    '@ exploits and weaknesses',
    'current security advisories for @',
    'show me the latest defects reported in @',
    'is there any new flaw in @',
    'any news on @?',
    "what's the newest hole in @",
    '@ security update this month',
    'most recent CVE in @',
    '@ latest',
    'how secure is @ these days',
    'Hello, could you please tell me whether anything has been reported lately about @? Thank you very much!',
    'has @ been hacked recently',
    'critical @ bug',
    'list all known @ holes, newest first',
    '@ vulns',
    'RCE @',
    'which @ versions are affected by the latest bug',
  ],
  validation: [
    'anything fresh about @',
    "tell me what's wrong with @ lately",
    '@ advisories past 30 days',
    'newly disclosed @ issues',
    'We run @ in production and would like to know about the most recent security problem that was published for it',
    'is @ safe to use right now?',
    '@ security bulletin',
    'last @ vuln',
    'what has been found in @ since last month',
    'up-to-date @ weaknesses',
    'any open tickets for @?',
    'does @ have holes',
    '@: recent disclosures',
    'can someone summarise the current threats to @',
    'latest @ patches',
    'newest @ CVEs',
  ],
} as const;

export type Half = keyof typeof wordings;
