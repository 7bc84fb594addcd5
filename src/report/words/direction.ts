/** Letters of scripts that are written from right to left. */
const rightToLeft =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Samaritan}\p{Script=Mandaic}\p{Script=Adlam}\p{Script=Hanifi_Rohingya}]/u;
const letter = /\p{L}/u;

/** A stretch of text that is written in one direction. */
export interface Stretch {
  readonly text: string;
  readonly isRightToLeft: boolean;
}

/**
 * Cuts text into what is written from right to left and what stands around it. Words that follow one another by one space
 * belong together, and numbers between them with them; two spaces, commas, colons, semicolons, brackets and middle dots divide.
 * Printed as it is, such a stretch would turn round the numbers and marks beside it; the caller sets each apart.
 */
export function stretchesOf(text: string): Stretch[] {
  if (!rightToLeft.test(text)) return [{ text, isRightToLeft: false }];
  const stretches: Stretch[] = [];
  let plain = '';
  let held = '';
  // What may still turn out to lie between two words of a stretch.
  let between = '';
  const close = () => {
    if (held !== '') stretches.push({ text: held, isRightToLeft: true });
    held = '';
    plain += between;
    between = '';
  };
  for (const part of text.match(/[^\s,;:()[\]{}·"|]+|[\s,;:()[\]{}·"|]/gu) ?? []) {
    if (rightToLeft.test(part)) {
      if (held === '' && plain !== '') {
        stretches.push({ text: plain, isRightToLeft: false });
        plain = '';
      }
      held += between + part;
      between = '';
    } else if (
      held !== '' &&
      (part === ' ' ? !between.endsWith(' ') : between !== '' && !/[\s,;:()[\]{}·"|]/u.test(part) && !letter.test(part))
    ) {
      between += part;
    } else {
      close();
      plain += part;
    }
  }
  close();
  if (plain !== '') stretches.push({ text: plain, isRightToLeft: false });
  return stretches;
}

/** Text for a terminal: each such stretch between the marks that isolate it (FSI, PDI; UAX #9), which have no width. */
export function isolated(text: string): string {
  return stretchesOf(text)
    .map((stretch) => (stretch.isRightToLeft ? `\u2068${stretch.text}\u2069` : stretch.text))
    .join('');
}
