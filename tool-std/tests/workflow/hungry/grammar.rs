//! Programs out of pieces: `$a` and `$b` stand for expressions, `$s` for statements, `$n` for a number.

const LEAVES: &[&str] = &[
    "i",
    "all.length",
    "'x'",
    "[]",
    "({})",
    "null",
    "undefined",
    "1.5",
    "(2n ** 70n)",
    "text",
    "/a+/g",
    "Symbol('s')",
    "(() => i)",
    "all",
    "all[0]",
    "map",
    "-1",
    "(2 ** 31)",
    "NaN",
];

const NUMBERS: &[&str] = &["1", "10", "300", "1000", "20000", "100000", "1e6", "i"];

const EXPRESSIONS: &[&str] = &[
    "[$a, $b]",
    "({ a: $a, [`k${i}`]: $b })",
    "new Array($n).fill($a)",
    "'abc'.repeat($n) + $a",
    "`${$a}${$b}`",
    "new Map([[$a, $b]])",
    "new Set([$a, $b])",
    "Promise.resolve($a)",
    "new Promise((done) => done($a))",
    "JSON.stringify($a)",
    "JSON.parse(JSON.stringify([$a, $b]))",
    "Array.from({ length: $n }, () => $a)",
    "Object.entries({ x: $a, y: $b })",
    "((given = $a) => () => [given, $b])()",
    "new (class { a = $a; #b = $b; get c() { return $b } d() { return this.#b } })()",
    "(function* () { yield $a; yield* [$b] })()",
    "[...(function* () { yield $a; yield $b })()]",
    "'aXbXc'.repeat($n).split('X')",
    "'ab12'.repeat($n).replace(/(\\w)(\\d)/g, () => $a)",
    "'ab12'.repeat($n).match(/(?<n>\\w)/g)",
    "new RegExp('a'.repeat($n % 10000))",
    "new RegExp('(a|b)*'.repeat($n % 200))",
    "new RegExp('[a-z\\u{1F600}]'.repeat(50))",
    "Promise.all([$a, $b])",
    "(async () => { await null; return $a })()",
    "Object.create($a ?? null, { z: { value: $b, enumerable: true } })",
    "Object.assign({}, { q: $a }, $b)",
    "[$a, $b].concat(all.slice(0, 100))",
    "all.map(() => $a)",
    "all.filter(() => true).reverse()",
    "(() => { try { return $a } catch (error) { return error } finally { $b } })()",
    "new Error(`${$a}`)",
    "(() => { throw $a })()",
    "Object.fromEntries([['a', $a], ['b', $b]])",
    "Object.defineProperty({}, 'g', { get: () => $a, configurable: true }).g",
    "new Function('return 1')",
    "(0, eval)(`[${'1,'.repeat($n % 30000)}]`)",
    "(0, eval)(`(${'() => '.repeat($n % 3000)}1)`)",
    "(BigInt(3) ** BigInt($n % 50000))",
    "(2n ** 5000n).toString(10)",
    "String.fromCodePoint(...new Array($n % 20000).fill(128512))",
    "text.toUpperCase().normalize?.('NFD')",
    "[3, 1, 2, $a].sort(() => $b)",
    "Symbol.for(`s${i}`)",
    "({ ...$a, ...$b })",
    "[...'x'.repeat($n)]",
    "(() => { const deep = (n) => n === 0 ? $a : [deep(n - 1)]; return deep($n % 3000) })()",
    "Reflect.construct(Array, [$a, $b])",
    "Object.groupBy?.([$a], () => $b)",
    "(async function* () { yield $a })().next()",
    "Promise.allSettled([$a, Promise.reject($b)])",
    "Promise.race([$a]).then(() => $b, () => 0).finally(() => 0)",
    "((...rest) => rest).apply(null, new Array($n % 60000).fill($a))",
    "(function () { return arguments })($a, $b)",
    "'a-b-c'.replaceAll('-', () => $a)",
    "[1, 2, 3].flatMap(() => [$a, $b])",
    "text.padStart($n, 'ab')",
    "((own) => { own.self = own; return own })({ v: $a })",
    "new (class extends Array { constructor() { super(3); this.x = $a } })()",
    "(0, eval)(`({ ${Array.from({ length: $n % 3000 }, (_, at) => `get k${at}() { return i }`).join()} })`)",
];

const STATEMENTS: &[&str] = &[
    "all.push($a);",
    "all.push($a);",
    "all.push($a);",
    "map.set(i, $a);",
    "text += $a;",
    "text += text;",
    "own[`k${i}`] = $a;",
    "$a;",
    "list = [list, $a];",
    "await $a;",
    "again = ((before) => () => [before, $a])(again);",
];

const BLOCKS: &[&str] = &[
    "for (let j = 0; j < $n; j += 1) { i += 1; $s }",
    "for (let j = 0; j < $n; j += 1) { i += 1; $s }",
    "try { $s } catch (error) { all.push(error); $a; }",
    "try { $s } catch (error) { all.push(error); $a; }",
    "for (;;) { i += 1; $s }",
    "for (;;) { try { i += 1; $s } catch { i += 1 } }",
    "await (async () => { $s })();",
    "queueMicrotask?.(async () => { $s });",
    "(() => { try { (async () => { $s })() } finally { $a } })();",
];

/// A program, and the bytes of memory and stack that it may have.
pub(super) fn program(seed: u64) -> (String, usize, usize) {
    let mut chance = Chance(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let memory = match chance.below(4) {
        0 => 600_000 + chance.below(400_000),
        1 => 1_000_000 + chance.below(2_000_000),
        2 => 4 << 20,
        _ => 16 << 20,
    };
    let stack = chance.of(&[64 << 10, 128 << 10, 512 << 10]);
    let depth = 2 + chance.below(2);
    let body = chance.statements(depth);
    let more = chance.statements(1);
    let more = if chance.below(2) == 0 { format!("try {{ {more} }} catch {{ }}") } else { more };
    let source = format!(
        "let i = 0, all = [], map = new Map(), text = 'x', own = {{}}, list = [], again = () => 0;
         {body}
         for (;;) {{ i += 1; {more} }}"
    );
    (source, memory, stack)
}

/// Random choices that are the same for a seed.
struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % u64::try_from(limit).unwrap()).unwrap()
    }

    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    fn statements(&mut self, depth: usize) -> String {
        let all: Vec<String> = (0..1 + self.below(3)).map(|_| self.statement(depth)).collect();
        all.join(" ")
    }

    fn statement(&mut self, depth: usize) -> String {
        let piece = self.of(if depth == 0 { STATEMENTS } else { BLOCKS });
        let inner = if depth == 0 { String::new() } else { self.statements(depth - 1) };
        let deep = 1 + self.below(3);
        self.fill(piece, deep, &inner)
    }

    fn expression(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.of(LEAVES).to_owned();
        }
        let piece = self.of(EXPRESSIONS);
        self.fill(piece, depth - 1, "")
    }

    fn fill(&mut self, piece: &str, depth: usize, statements: &str) -> String {
        let (a, b, n) = (self.expression(depth), self.expression(depth / 2), self.of(NUMBERS));
        piece.replace("$s", statements).replace("$n", n).replace("$a", &a).replace("$b", &b)
    }
}
