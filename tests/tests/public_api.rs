//! The public face of the crates, one item a paragraph, in `public_api/*.txt`: a change of it is seen in review.
//!
//! After a change that is meant: `UPDATE_EXPECT=1 cargo test -p tests --test public_api`, then read the diff.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use expect_test::expect_file;
use quote::ToTokens;
use syn::{Attribute, Fields, File, ImplItem, Item, Signature, UseTree, Visibility, parse_quote};

/// The files of a crate, read.
struct Sources {
    files: Vec<(PathBuf, File)>,
}

impl Sources {
    fn read(folder: &Path) -> Self {
        let mut files = Vec::new();
        let mut folders = vec![folder.to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|extension| extension == "rs") {
                    let file = syn::parse_file(&fs::read_to_string(&path).unwrap()).unwrap();
                    files.push((path, file));
                }
            }
        }
        files.sort_by(|(left, _), (right, _)| left.cmp(right));
        Self { files }
    }

    fn file(&self, path: &Path) -> Option<&File> {
        self.files.iter().find(|(known, _)| known == path).map(|(_, file)| file)
    }
}

/// The names that `module` and its public modules give out.
fn exported(sources: &Sources, folder: &Path, file: &File, names: &mut BTreeSet<String>) {
    for item in &file.items {
        match item {
            Item::Use(item) if is_public(&item.vis) => leaves(&item.tree, names),
            Item::Mod(item) if is_public(&item.vis) && !is_hidden(&item.attrs) => {
                let name = item.ident.to_string();
                let path = folder.join(format!("{name}.rs"));
                if let Some(file) = sources.file(&path) {
                    exported(sources, &folder.join(&name), file, names);
                }
            }
            other => names.extend(definition(other).map(|(name, _)| name)),
        }
    }
}

fn leaves(tree: &UseTree, names: &mut BTreeSet<String>) {
    match tree {
        UseTree::Path(path) => leaves(&path.tree, names),
        UseTree::Name(name) => drop(names.insert(name.ident.to_string())),
        UseTree::Rename(rename) => drop(names.insert(rename.rename.to_string())),
        UseTree::Group(group) => group.items.iter().for_each(|tree| leaves(tree, names)),
        UseTree::Glob(_) => panic!("the public face is listed by name"),
    }
}

/// The outward part of a public item, and its name.
fn definition(item: &Item) -> Option<(String, Item)> {
    let mut item = item.clone();
    let name = match &mut item {
        Item::Struct(item) if is_public(&item.vis) => {
            item.attrs.retain(is_outward);
            private_fields_away(&mut item.fields);
            item.ident.to_string()
        }
        Item::Enum(item) if is_public(&item.vis) => {
            item.attrs.retain(is_outward);
            for variant in &mut item.variants {
                variant.attrs.retain(is_outward);
                variant.fields.iter_mut().for_each(|field| field.attrs.clear());
            }
            item.ident.to_string()
        }
        Item::Trait(item) if is_public(&item.vis) => {
            item.attrs.retain(is_outward);
            for member in &mut item.items {
                if let syn::TraitItem::Fn(member) = member {
                    member.attrs.clear();
                    if member.default.is_some() {
                        member.default = Some(parse_quote!({ .. }));
                    }
                }
            }
            item.ident.to_string()
        }
        Item::Fn(function) if is_public(&function.vis) => {
            function.attrs.clear();
            *function.block = parse_quote!({});
            function.sig.ident.to_string()
        }
        Item::Const(item) if is_public(&item.vis) => {
            item.attrs.clear();
            item.ident.to_string()
        }
        Item::Type(item) if is_public(&item.vis) => {
            item.attrs.clear();
            item.ident.to_string()
        }
        _ => return None,
    };
    Some((name, item))
}

fn private_fields_away(fields: &mut Fields) {
    if let Fields::Named(named) = fields {
        let kept = named.named.iter().filter(|field| is_public(&field.vis)).cloned();
        named.named = kept.map(|field| syn::Field { attrs: Vec::new(), ..field }).collect();
    }
}

fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

/// Attributes that callers can tell.
fn is_outward(attribute: &Attribute) -> bool {
    ["non_exhaustive", "must_use", "derive"].iter().any(|name| attribute.path().is_ident(name))
}

fn is_hidden(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("doc") && attribute.to_token_stream().to_string().contains("hidden")
    })
}

/// What an `impl` adds to a public type: its public methods, or the trait it implements.
fn implementation(item: &Item, names: &BTreeSet<String>) -> Option<(String, String)> {
    let Item::Impl(item) = item else { return None };
    let ty = item.self_ty.to_token_stream().to_string();
    let subject = ty.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
    let mut outward = item.clone();
    outward.attrs.clear();
    match &item.trait_ {
        Some((path, _)) => {
            let of_ours = path.segments.last().is_some_and(|last| names.contains(&last.ident.to_string()));
            outward.items.clear();
            (names.contains(subject) || of_ours).then(|| (subject.to_owned(), print(Item::Impl(outward))))
        }
        None => {
            outward.items = item.items.iter().filter_map(public_member).collect();
            (names.contains(subject) && !outward.items.is_empty())
                .then(|| (subject.to_owned(), print(Item::Impl(outward))))
        }
    }
}

fn public_member(member: &ImplItem) -> Option<ImplItem> {
    match member {
        ImplItem::Fn(function) if is_public(&function.vis) && !is_hidden(&function.attrs) => {
            let signature: &Signature = &function.sig;
            Some(parse_quote!(pub #signature {}))
        }
        ImplItem::Const(constant) if is_public(&constant.vis) => {
            let (name, ty) = (&constant.ident, &constant.ty);
            Some(parse_quote!(pub const #name: #ty = _;))
        }
        _ => None,
    }
}

fn print(item: Item) -> String {
    prettyplease::unparse(&File { shebang: None, frontmatter: None, attrs: Vec::new(), items: vec![item] })
        .replace("{}", "{ .. }")
}

/// The public face of the crate in `folder`.
fn public_api(folder: &str) -> String {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(folder).join("src");
    let sources = Sources::read(&source);
    let mut names = BTreeSet::new();
    exported(&sources, &source, sources.file(&source.join("lib.rs")).unwrap(), &mut names);
    let items = || sources.files.iter().flat_map(|(_, file)| &file.items);
    let definitions = items().filter_map(definition).filter(|(name, _)| names.contains(name));
    // By name, each type followed by what is implemented for it.
    let mut paragraphs: Vec<(String, String)> = definitions.map(|(name, item)| (name, print(item))).collect();
    paragraphs.extend(items().filter_map(|item| implementation(item, &names)));
    paragraphs.sort_by(|(left, _), (right, _)| left.cmp(right));
    paragraphs.dedup();
    let paragraphs: Vec<String> = paragraphs.into_iter().map(|(_, text)| text).collect();
    format!("exported: {}\n\n{}", names.into_iter().collect::<Vec<_>>().join(", "), paragraphs.join("\n"))
}

#[test]
fn tool_runtime() {
    expect_file!["public_api/tool-runtime.txt"].assert_eq(&public_api("tool-runtime"));
}

#[test]
fn tool_std() {
    expect_file!["public_api/tool-std.txt"].assert_eq(&public_api("tool-std"));
}
