BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0011');
CREATE TABLE analyses (
	"match" VARCHAR(32) NOT NULL, 
	games INTEGER NOT NULL, 
	chances TEXT NOT NULL, 
	PRIMARY KEY ("match"), 
	FOREIGN KEY("match") REFERENCES matches (id) ON DELETE CASCADE
);
CREATE TABLE browsers (
	id VARCHAR(64) NOT NULL, 
	made FLOAT NOT NULL, 
	replaces VARCHAR(64) DEFAULT '' NOT NULL, 
	visitor VARCHAR(64) DEFAULT '' NOT NULL, 
	seen FLOAT DEFAULT '0' NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "browsers" VALUES('188f0dab84da5c6f96e7da29a15871d1a9e1ffa77066f57992cbd6e969201d0e',1800000000.0,'','',1800000000.0);
CREATE TABLE budgets (
	kind VARCHAR(16) NOT NULL, 
	client VARCHAR(64) NOT NULL, 
	level FLOAT NOT NULL, 
	at FLOAT NOT NULL, 
	PRIMARY KEY (kind, client)
);
CREATE TABLE chat (
	"match" VARCHAR(32) NOT NULL, 
	id INTEGER NOT NULL, 
	seat INTEGER NOT NULL, 
	text TEXT NOT NULL, 
	at FLOAT NOT NULL, 
	PRIMARY KEY ("match", id), 
	FOREIGN KEY("match") REFERENCES matches (id) ON DELETE CASCADE
);
CREATE TABLE groups (
	id VARCHAR(32) NOT NULL, 
	name VARCHAR(64) NOT NULL, 
	link VARCHAR(64) NOT NULL, 
	last INTEGER NOT NULL, 
	created FLOAT NOT NULL, 
	used FLOAT NOT NULL, 
	PRIMARY KEY (id), 
	UNIQUE (link)
);
CREATE TABLE hooks (
	"match" VARCHAR(32) NOT NULL, 
	url TEXT NOT NULL, 
	owner VARCHAR(64) NOT NULL, 
	language VARCHAR(16) NOT NULL, 
	home VARCHAR(255) NOT NULL, 
	failures INTEGER NOT NULL, 
	heard INTEGER DEFAULT '-1' NOT NULL, 
	PRIMARY KEY ("match"), 
	FOREIGN KEY("match") REFERENCES matches (id) ON DELETE CASCADE
);
CREATE TABLE hours (
	id INTEGER NOT NULL, 
	seconds FLOAT NOT NULL, 
	noted FLOAT DEFAULT '0' NOT NULL, 
	PRIMARY KEY (id)
);
CREATE TABLE looks (
	process VARCHAR(32) NOT NULL, 
	"match" VARCHAR(32) NOT NULL, 
	visitor VARCHAR(64) NOT NULL, 
	client VARCHAR(64) NOT NULL, 
	pages INTEGER NOT NULL, 
	at FLOAT NOT NULL, 
	PRIMARY KEY (process, "match", visitor, client)
);
CREATE TABLE matches (
	id VARCHAR(32) NOT NULL, 
	game VARCHAR(32) NOT NULL, 
	rules INTEGER NOT NULL, 
	options TEXT NOT NULL, 
	"key" VARCHAR(64) NOT NULL, 
	commitment VARCHAR(64) NOT NULL, 
	status VARCHAR(8) NOT NULL, 
	public BOOLEAN NOT NULL, 
	hints BOOLEAN DEFAULT 0 NOT NULL, 
	origin VARCHAR(32) DEFAULT '' NOT NULL, 
	taken INTEGER DEFAULT '0' NOT NULL, 
	waits FLOAT DEFAULT '0' NOT NULL, 
	pace INTEGER DEFAULT '0' NOT NULL, 
	aborted INTEGER DEFAULT '0' NOT NULL, 
	earlier TEXT DEFAULT '[]' NOT NULL, 
	host VARCHAR(64) NOT NULL, 
	created FLOAT NOT NULL, 
	rematch VARCHAR(32) NOT NULL, 
	group_id VARCHAR(32) DEFAULT '' NOT NULL, 
	request TEXT DEFAULT '' NOT NULL, 
	revision INTEGER NOT NULL, fair INTEGER NOT NULL DEFAULT 1, 
	PRIMARY KEY (id)
);
INSERT INTO "matches" VALUES('HmOUuWu4n6d7','tails',1,'{}','67075022a61f6131fcd3f3b627afd2f0eae5a42531f5ab285c221e605d594000','0b346899149aacc6ecce5dc9c5dfdd3983680a4202b4c14b97b59c4b4c56af51','running',0,1,'',0,0.0,0,0,'[]','188f0dab84da5c6f96e7da29a15871d1a9e1ffa77066f57992cbd6e969201d0e',1800000000.0,'','','',1,1);
CREATE TABLE member_devices (
	group_id VARCHAR(32) NOT NULL, 
	member INTEGER NOT NULL, 
	owner VARCHAR(64) NOT NULL, 
	seen FLOAT NOT NULL, 
	PRIMARY KEY (group_id, member, owner), 
	FOREIGN KEY(group_id) REFERENCES groups (id) ON DELETE CASCADE
);
CREATE TABLE members (
	group_id VARCHAR(32) NOT NULL, 
	member INTEGER NOT NULL, 
	name VARCHAR(64) NOT NULL, 
	colour INTEGER NOT NULL, 
	PRIMARY KEY (group_id, member), 
	FOREIGN KEY(group_id) REFERENCES groups (id) ON DELETE CASCADE
);
CREATE TABLE passes (
	id VARCHAR(64) NOT NULL, 
	owner VARCHAR(64) NOT NULL, 
	made FLOAT NOT NULL, 
	PRIMARY KEY (id)
);
CREATE TABLE plies (
	"match" VARCHAR(32) NOT NULL, 
	ply INTEGER NOT NULL, 
	seat INTEGER NOT NULL, 
	events TEXT NOT NULL, 
	at FLOAT NOT NULL, 
	since INTEGER NOT NULL, 
	PRIMARY KEY ("match", ply), 
	FOREIGN KEY("match") REFERENCES matches (id) ON DELETE CASCADE
);
INSERT INTO "plies" VALUES('HmOUuWu4n6d7',0,-1,'[[-1, "first 1"]]',1800000000.0,1);
INSERT INTO "plies" VALUES('HmOUuWu4n6d7',1,1,'[[1, "far 14"], [-1, "tile 01-25-34"]]',1800000120.0,2);
INSERT INTO "plies" VALUES('HmOUuWu4n6d7',2,1,'[[1, "lay 1"]]',1800000300.0,3);
INSERT INTO "plies" VALUES('HmOUuWu4n6d7',3,2,'[[2, "far 10"], [-1, "tile 01-23-45"]]',1800000420.0,4);
INSERT INTO "plies" VALUES('HmOUuWu4n6d7',4,2,'[[2, "lay 0"]]',1800000420.0,5);
INSERT INTO "plies" VALUES('HmOUuWu4n6d7',5,0,'[[0, "far 7"], [-1, "tile 05-12-34"]]',1800000420.0,6);
INSERT INTO "plies" VALUES('HmOUuWu4n6d7',6,0,'[[0, "lay 0"]]',1800000420.0,7);
INSERT INTO "plies" VALUES('HmOUuWu4n6d7',7,1,'[[1, "far 13"], [-1, "tile 02-15-34"]]',1800000540.0,8);
INSERT INTO "plies" VALUES('HmOUuWu4n6d7',8,1,'[[1, "lay 0"]]',1800000660.0,9);
INSERT INTO "plies" VALUES('HmOUuWu4n6d7',9,2,'[[2, "near 26"], [-1, "tile 03-14-25"]]',1800000780.0,10);
INSERT INTO "plies" VALUES('HmOUuWu4n6d7',10,2,'[[2, "lay 0"]]',1800000780.0,11);
CREATE TABLE processes (
	id VARCHAR(32) NOT NULL, 
	threads INTEGER NOT NULL, 
	beat FLOAT NOT NULL, 
	PRIMARY KEY (id)
);
CREATE TABLE pushes (
	id VARCHAR(64) NOT NULL, 
	owner VARCHAR(64) NOT NULL, 
	endpoint TEXT NOT NULL, 
	p256dh VARCHAR(128) NOT NULL, 
	auth VARCHAR(64) NOT NULL, 
	language VARCHAR(16) NOT NULL, 
	home VARCHAR(255) NOT NULL, 
	created FLOAT NOT NULL, 
	told BOOLEAN NOT NULL, 
	PRIMARY KEY (id)
);
CREATE TABLE reports (
	"match" VARCHAR(32) NOT NULL, 
	line INTEGER NOT NULL, 
	reporter VARCHAR(64) NOT NULL, 
	seat INTEGER NOT NULL, 
	name VARCHAR(64) NOT NULL, 
	text TEXT NOT NULL, 
	said FLOAT NOT NULL, 
	at FLOAT NOT NULL, 
	PRIMARY KEY ("match", line, reporter)
);
CREATE TABLE results (
	"match" VARCHAR(32) NOT NULL, 
	seat INTEGER NOT NULL, 
	won BOOLEAN NOT NULL, 
	points FLOAT, 
	PRIMARY KEY ("match", seat), 
	FOREIGN KEY("match") REFERENCES matches (id) ON DELETE CASCADE
);
CREATE TABLE seats (
	"match" VARCHAR(32) NOT NULL, 
	seat INTEGER NOT NULL, 
	kind VARCHAR(8) NOT NULL, 
	name VARCHAR(64) NOT NULL, 
	owner VARCHAR(64), 
	link VARCHAR(64), 
	bot VARCHAR(64) NOT NULL, 
	stand_in VARCHAR(64) NOT NULL, 
	nonce VARCHAR(64) NOT NULL, 
	pledge VARCHAR(64) DEFAULT '' NOT NULL, 
	called VARCHAR(64) DEFAULT '' NOT NULL, 
	label VARCHAR(64) DEFAULT '' NOT NULL, 
	due FLOAT DEFAULT '0' NOT NULL, 
	member INTEGER DEFAULT '0' NOT NULL, 
	PRIMARY KEY ("match", seat), 
	FOREIGN KEY("match") REFERENCES matches (id) ON DELETE CASCADE, 
	UNIQUE (link)
);
INSERT INTO "seats" VALUES('HmOUuWu4n6d7',0,'person','','188f0dab84da5c6f96e7da29a15871d1a9e1ffa77066f57992cbd6e969201d0e',NULL,'','','7903b4196fa3bdafe3ce3b3d88cb14de','','','cdaf2df75bde7518c3f16ee462484643a981890b89052994efc1a38ee6fd891f',0.0,0);
INSERT INTO "seats" VALUES('HmOUuWu4n6d7',1,'bot','',NULL,NULL,'devil','','7776fc41d5cc17477cc77856dc0c02a8','','','b00fbb4618320e49c7845e8b2360f0dbfb1eaaf01206e4744e1182ab1a2a5d77',0.0,0);
INSERT INTO "seats" VALUES('HmOUuWu4n6d7',2,'bot','',NULL,NULL,'devil','','415b562c8a67d36b19a63881dda65a13','','','a80fcb2e4c00d886c9cbc79c7ac900ac8964233ba3be217e83a4e69dd1515f23',0.0,0);
CREATE TABLE series (
	group_id VARCHAR(32) NOT NULL, 
	"match" VARCHAR(32) NOT NULL, 
	member INTEGER NOT NULL, 
	game VARCHAR(32) NOT NULL, 
	won BOOLEAN NOT NULL, 
	points FLOAT, 
	lost FLOAT, 
	at FLOAT NOT NULL, 
	PRIMARY KEY (group_id, "match", member), 
	FOREIGN KEY(group_id) REFERENCES groups (id) ON DELETE CASCADE
);
CREATE TABLE snapshots (
	"match" VARCHAR(32) NOT NULL, 
	ply INTEGER NOT NULL, 
	layout VARCHAR(32) NOT NULL, 
	state BLOB NOT NULL, 
	PRIMARY KEY ("match"), 
	FOREIGN KEY("match") REFERENCES matches (id) ON DELETE CASCADE
);
CREATE TABLE tokens (
	id VARCHAR(64) NOT NULL, 
	maker VARCHAR(64) NOT NULL, 
	address VARCHAR(64) NOT NULL, 
	name VARCHAR(64) NOT NULL, 
	scopes VARCHAR(64) NOT NULL, 
	created FLOAT NOT NULL, 
	used FLOAT NOT NULL, 
	PRIMARY KEY (id)
);
CREATE TABLE turns (
	"match" VARCHAR(32) NOT NULL, 
	due FLOAT NOT NULL, 
	lease FLOAT NOT NULL, 
	holder VARCHAR(64) NOT NULL, 
	client VARCHAR(64) NOT NULL, 
	alone BOOLEAN NOT NULL, 
	PRIMARY KEY ("match"), 
	FOREIGN KEY("match") REFERENCES matches (id) ON DELETE CASCADE
);
CREATE INDEX matches_by_status ON matches (status, created);
CREATE INDEX matches_by_group ON matches (group_id, created);
CREATE INDEX browsers_by_visitor ON browsers (visitor);
CREATE INDEX tokens_by_address ON tokens (address);
CREATE INDEX tokens_by_maker ON tokens (maker);
CREATE INDEX pushes_by_owner ON pushes (owner);
CREATE INDEX looks_by_match ON looks ("match");
CREATE INDEX budgets_by_at ON budgets (at);
CREATE INDEX seats_by_due ON seats (due);
CREATE INDEX seats_by_owner ON seats (owner);
CREATE INDEX member_devices_by_owner ON member_devices (owner);
CREATE INDEX turns_by_due ON turns (due);
COMMIT;
