const exclamation = 0.292;
const question = 0.18;
const manyQuestions = 0.96;

/** What `!` (up to four) and `?` (two or more) add to the strength of a text. */
export function emphasisOf(text: string): number {
  const exclamations = Math.min(4, countOf('!', text));
  const questions = countOf('?', text);
  const asked = questions <= 1 ? 0 : questions <= 3 ? questions * question : manyQuestions;
  return exclamations * exclamation + asked;
}

function countOf(mark: string, text: string): number {
  let count = 0;
  for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + 1)) count += 1;
  return count;
}
