// Reviews each file of `args.files` by a task of its own, has each finding verified by another, and writes one summary.
const finding = {
  type: "object",
  properties: { fault: { type: "boolean" }, text: { type: "string", maxLength: 500 } },
  required: ["fault", "text"],
  additionalProperties: false,
};
const reviews = await Promise.all(
  args.files.map((file) => agent(`Review the file ${file}. Is there a fault in it?`, { label: `review ${file}`, schema: finding })),
);
// A task that has failed gives null.
const faults = args.files.map((file, at) => ({ file, review: reviews[at] })).filter(({ review }) => review?.fault);
const checks = await Promise.all(
  faults.map(({ file, review }) =>
    agent(`Somebody says of ${file}: ${review.text} Verify it. Is it so?`, { label: `verify ${file}`, schema: { type: "boolean" } }),
  ),
);
const verified = faults.filter((_, at) => checks[at] === true).map(({ file, review }) => `${file}: ${review.text}`);
const summary = await agent(`Summarise these faults in one sentence:\n${verified.join("\n")}`, { label: "summary" });
return { reviewed: args.files.length, failed: reviews.filter((review) => review === null).length, verified, summary };
