/** Controls (C0, C1, delete) and what overrides the direction of a text. */
const unsafe = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/**
 * Text of records for a terminal: what would move the cursor, change the screen or turn the direction round is shown as an
 * escape (`\u001b`), so that a record cannot forge what a command prints.
 *
 * @param kept characters that stay, such as line feeds in a text of several lines
 */
export function visible(text: string, kept = ''): string {
  return text.replace(unsafe, (character) =>
    kept.includes(character) ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
